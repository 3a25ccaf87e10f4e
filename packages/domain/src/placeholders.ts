/**
 * What a template or a program leaves in the place of a value that it does not have; undefined for a value. Two
 * orders with the same placeholder for a number would become one.
 */
export function placeholderProblem(value: string): string | undefined {
  if (value === OBJECT) return 'must be a text or number, not an object, list or file'
  if (!GUID.test(value) && TEMPLATES.some((template) => template.test(value))) {
    return `is the unfilled placeholder ${value.slice(0, 40)}`
  }
  return isEmptyWord(value) ? `is ${value}, which is no value` : undefined
}

/** The words with which programs write that there is nothing. */
export const isEmptyWord = (value: string): boolean =>
  EMPTY_WORDS.has(value.toLowerCase()) || /^[-–—_.?]+$/.test(value)

const EMPTY_WORDS = new Set(
  'null,undefined,nil,none,nan,n/a,na,true,false,(null),(none),[object object]'.split(','),
)

/** Stands for an object, list or file, which cannot be the value of a field. */
export const OBJECT = '{…}'

/** Some systems write their ids in braces. */
const GUID = /^\{[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}$/i

const NAME = String.raw`[a-z_][\w .:|-]*`

/** The first two also within a value: `A-{order_id}` is one number for all orders. */
const TEMPLATES = [
  new RegExp(String.raw`[$#%]?\{\{?\{?\s*[$%#]?${NAME}\}`, 'i'),
  new RegExp(String.raw`<%=?.*%>|\[\[?\*?${NAME}\]\]`, 'i'),
  new RegExp(String.raw`^\[\s*${NAME}\]$`, 'i'),
  new RegExp(String.raw`^#${NAME}#$|^%${NAME}%$|^__\w+__$|^<\s*${NAME}>$`, 'i'),
  /^[$:][a-z_][\w.]*$/i,
  /^[$#%]?\{.*\}$/,
]
