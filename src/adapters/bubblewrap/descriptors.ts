/**
 * What a shell does before it becomes a sandboxed program: it closes all descriptors above 2. Those are bwrap's own pipes,
 * and whatever the App was started with; Node keeps only low ones from its children.
 */

function forEach(cases: string): string {
  return `for at in /proc/self/fd/*; do fd=\${at##*/}; case $fd in [012]|"*") ;; ${cases} esac; done`;
}

const CLOSE_ALL = forEach('*) eval "exec $fd>&-" ;;');

/**
 * A script that expects the program as its arguments. dash takes one digit (`10>&-` is a command to it), so bash
 * closes the others. The shell of busybox closes them itself. A shell that can do neither fails, and nothing is run.
 */
export const CLOSE_DESCRIPTORS = [
  forEach('[3-9]) eval "exec $fd>&-" ;; *) above=1 ;;'),
  `if [ -n "$above" ]; then if command -v bash > /dev/null; then exec bash -c '${CLOSE_ALL}; exec "$@"' sh "$@"; else ${CLOSE_ALL}; fi; fi`,
].join('; ');
