/** Rules about what a request brings: as a path, an address, a command or a page. */
import { lines } from '../line-rule.ts';
import { inFile } from '../change-rule.ts';
import type { ReviewRule } from '../change-rule.ts';

/** A value that a request brought, by the habits of the common frameworks. */
const REQUEST = String.raw`(?:\breq(?:uest)?\.(?:query|params|body|args|form|values|GET|POST)\b|\bctx\.(?:query|params|request\.body)\b|\bc\.(?:Query|Param|PostForm)\(|\br\.(?:FormValue|URL\.Query\(\)\.Get)\()`;

export const REQUEST_RULES: readonly ReviewRule[] = [
  {
    id: 'path-from-request',
    area: 'injection',
    severity: 'high',
    personas: ['maya'],
    title: 'A file path is taken from a request.',
    explanation: 'With `../` in it, a path leads to any file that the program can read or write.',
    advice: 'resolve the path and refuse it unless it stays below the folder it is meant for',
    examples: {
      yes: [
        inFile('src/a.ts', '+res.sendFile(path.join(ROOT, req.params.name));'),
        inFile('app/a.py', '+return send_file(os.path.join(ROOT, request.args["name"]))'),
      ],
      no: [
        inFile('src/a.ts', '+res.sendFile(path.join(ROOT, path.basename(req.params.name)));'),
        inFile('src/a.ts', '+const name = req.params.name;'),
      ],
    },
    find: lines({
      in: ['script', 'python', 'go'],
      pattern: new RegExp(
        String.raw`\b(?:sendFile|readFile(?:Sync)?|writeFile(?:Sync)?|createReadStream|createWriteStream|unlink(?:Sync)?|send_file|open|os\.Open|os\.ReadFile|ServeFile|download)\(.{0,200}` +
          REQUEST,
      ),
      unless: /basename|secure_filename|filepath\.Base|send_from_directory|window\.open/i,
    }),
  },
  {
    id: 'redirect-from-request',
    area: 'injection',
    severity: 'medium',
    personas: ['maya'],
    title: 'The target of a redirect is taken from a request.',
    explanation: 'A link to your site then leads anywhere, which makes phishing look like you.',
    advice: 'allow only paths of your own site, or names from a list',
    examples: {
      yes: [
        inFile('src/a.ts', '+res.redirect(req.query.next);'),
        inFile('app/a.py', '+return redirect(request.args.get("next"))'),
      ],
      no: [inFile('src/a.ts', "+res.redirect('/login');")],
    },
    find: lines({
      in: ['script', 'python', 'go'],
      pattern: new RegExp(
        String.raw`\b(?:[rR]edirect|HttpResponseRedirect)\(\s*(?:w,\s*r,\s*|\d{3},\s*)?` + REQUEST,
      ),
    }),
  },
  {
    id: 'fetch-from-request',
    area: 'injection',
    severity: 'high',
    personas: ['maya'],
    title: 'The program fetches an address that a request names.',
    explanation:
      'It can be made to ask inside your network, where credentials of the machine are given out.',
    advice: 'allow only hosts from a list, and refuse private addresses after resolving the name',
    examples: {
      yes: [
        inFile('src/a.ts', '+const page = await axios.get(req.query.url);'),
        inFile('app/a.py', '+page = requests.get(request.args["url"])'),
      ],
      no: [inFile('src/a.ts', '+const page = await axios.get(API, { params: req.query });')],
    },
    find: lines({
      in: ['script', 'python', 'go'],
      pattern: new RegExp(
        String.raw`(?:(?<![\w.])fetch|\baxios(?:\.\w+)?|\bgot(?:\.\w+)?|\brequests\.(?:get|post|put|head)|\burlopen|\bhttp\.Get)\(\s*` +
          REQUEST,
      ),
    }),
  },
  {
    id: 'go-shell-command',
    area: 'injection',
    severity: 'high',
    personas: ['maya', 'dev'],
    title: 'A shell command is put together from values.',
    explanation: 'A value with `;`, `$(…)` or a space in it becomes a command of its own.',
    advice: 'name the program and its arguments one by one in `exec.Command`',
    examples: {
      yes: [inFile('a.go', '+cmd := exec.Command("sh", "-c", "tar xf "+name)')],
      no: [
        inFile('a.go', '+cmd := exec.Command("tar", "xf", name)'),
        inFile('a.go', '+cmd := exec.Command("sh", "-c", "make all")'),
      ],
    },
    find: lines({
      in: ['go'],
      view: 'live',
      pattern:
        /\bexec\.Command(?:Context)?\((?:\w+,\s*)?"(?:\/bin\/)?(?:ba|z)?sh",\s*"-c",\s*(?:fmt\.Sprintf|[a-zA-Z_]|"[^"]*"\s*\+)/,
    }),
  },
  {
    id: 'go-template-unescaped',
    area: 'injection',
    severity: 'medium',
    personas: ['maya'],
    title: 'A value is marked as safe HTML.',
    explanation:
      '`html/template` escapes what it is given, but not what claims to be safe already.',
    advice: 'pass the plain string and let the template escape it',
    examples: {
      yes: [inFile('a.go', '+data.Body = template.HTML(comment.Body)')],
      no: [inFile('a.go', '+data.Body = template.HTML("<br>")')],
    },
    find: lines({
      in: ['go'],
      pattern: /\btemplate\.(?:HTML|JS|URL|HTMLAttr)\(\s*(?!["`])\w/,
      unless: /saniti[sz]e|escape|policy/i,
    }),
  },
];
