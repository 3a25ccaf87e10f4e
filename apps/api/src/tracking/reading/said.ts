import { isSecretName } from '../../lib/secret-names.ts'
import { fieldKey } from './field-names.ts'
import { fieldsOfKept } from './free-parameters.ts'

const LONGEST = 60

/** One parameter of a postback, by the key under which its site's are kept. */
export type Said = {
  parameter: string
  name: string
  /** As sent. */
  text: string
  /** In lower case; undefined if it is no word: a number, a time, an id or a sentence. */
  word: string | undefined
}

/** A parameter that says a word. */
export type SaidWord = Said & { word: string }

/** The parameters of a kept postback that have a value, without secrets. Places in lists are one parameter. */
export const saidIn = (params: unknown): Said[] =>
  fieldsOfKept(params).flatMap(([sent, value]) => said(sent, value) ?? [])

/** What one parameter says; undefined if it is empty or a secret. */
export function said(sent: string, value: string): Said | undefined {
  const name = cut(sent.replaceAll(/\.\d{1,4}(?=\.|$)/g, '.*'))
  const parameter = cut(fieldKey(name))
  const text = value.trim()
  if (parameter === '' || text === '' || isSecretName(sent)) return undefined
  return { parameter, name, text, word: PERSONAL.test(name) ? undefined : wordOf(text) }
}

/** What one parameter says, if it is a word. */
export function saidWord(sent: string, value: string): SaidWord | undefined {
  const one = said(sent, value)
  return one?.word === undefined ? undefined : { ...one, word: one.word }
}

const cut = (text: string): string => text.slice(0, LONGEST).toWellFormed()

/** A value that says one of few things: `approved`, `Credit card`, `2`. */
function wordOf(text: string): string | undefined {
  const word = text.toLowerCase()
  const isShort = word.length <= 40 && (word.match(/\d/g)?.length ?? 0) <= 3
  return isShort && WORD.test(word) ? word : undefined
}

const WORD = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ._+&/:()-]*$/u

/** Buyers' details are in the postbacks alone. */
const PERSONAL =
  /(?:first|last|full|middle|sur|customer|buyer|user|client|billing|shipping|card|holder)[_.\- ]?name|phone|mobile|mail|address|street|birth|gender/i
