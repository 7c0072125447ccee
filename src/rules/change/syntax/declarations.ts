/** Which statements of a script only declare: they say what things look like, and nothing runs that a test could prove. */
import { rootName, toNode, toNodes, toSpan } from './script-tree.ts';
import type { ScriptNode, Span } from './script-tree.ts';

const DECLARING =
  /^(?:TSInterfaceDeclaration|TSTypeAliasDeclaration|TSDeclareFunction|TSModuleDeclaration|TSEnumDeclaration|TSExportAssignment|TSNamespaceExportDeclaration|ImportDeclaration|ExportAllDeclaration)$/;
/** Libraries whose calls describe a form. */
const SCHEMA = /^(?:z|v|yup|Joi|Type|Schema)$/;
/** What the value of a table is made of. */
const LITERAL = /^(?:\w*Literal|ArrayExpression|ObjectExpression|TemplateLiteral)$/;

export function declarationsIn(program: ScriptNode): Span[] {
  return toNodes(program.fields['body']).filter(isDeclaring).map(toSpan);
}

function isDeclaring(statement: ScriptNode): boolean {
  const { type, fields } = statement;
  if (DECLARING.test(type) || fields['declare'] === true) return true;
  if (type === 'ExportNamedDeclaration') {
    const inner = toNode(fields['declaration']);
    return inner === undefined || isDeclaring(inner);
  }
  if (type !== 'VariableDeclaration') return false;
  return toNodes(fields['declarations']).every((each) => isForm(toNode(each.fields['init'])));
}

function isForm(value: ScriptNode | undefined): boolean {
  if (value === undefined) return true;
  const { type, fields } = value;
  if (/^TS(?:As|Satisfies)Expression$/.test(type)) return isForm(toNode(fields['expression']));
  if (type === 'CallExpression') return SCHEMA.test(rootName(value) ?? '');
  return LITERAL.test(type) && !holdsCode(value);
}

/** Whether a table contains a function. */
function holdsCode(value: ScriptNode): boolean {
  const parts = [
    ...toNodes(value.fields['elements']),
    ...toNodes(value.fields['properties']).map((each) => toNode(each.fields['value']) ?? each),
  ];
  return parts.some((part) => /Function|Method/.test(part.type) || holdsCode(part));
}
