import type { FieldMessages } from '@tallyroom/contract/errors'
import { randomBytes } from 'node:crypto'
import { z, type ZodType } from 'zod'
import { rehearse } from '../db/transaction.ts'

/** As many rounds as a form has kinds of rules that only its handler knows, and some more. */
const MOST_ROUNDS = 6

/**
 * What else is wrong with a form, beside the mistakes that were found first: the fields with mistakes are left out, and the
 * rest is tried again, by the schema and then by the handler, whose transaction is rolled back. Of a new object, texts that
 * it must have get a value in their place. It ends with what can't be judged without the fields that are wrong.
 *
 * @param messagesOf undefined for an error that says nothing about fields
 */
export async function allMistakes(
  first: FieldMessages,
  {
    sent,
    schema,
    handle,
    messagesOf,
  }: {
    sent: object
    schema: ZodType
    handle: (body: unknown) => Promise<unknown>
    messagesOf: (error: unknown) => FieldMessages | undefined
  },
): Promise<FieldMessages> {
  const found = { ...first }
  const isKnown = (name: string) => !(schema instanceof z.ZodObject) || name in schema.shape
  let rest = Object.entries(sent)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const wrong = new Set(Object.keys(found).map((field) => field.split('.')[0]))
    // The message about unknown fields is about the form as a whole. A repetition goes with what it repeats.
    const right = rest.filter(
      ([name]) => !wrong.has(name) && !wrong.has(name.replace(/Confirm$/, '')) && isKnown(name),
    )
    if (right.length === rest.length && round > 0) break
    rest = right
    const more = await mistakesIn(Object.fromEntries(rest), { schema, handle, messagesOf, wrong })
    const others = Object.entries(more ?? {}).filter(([field]) => !(field in found))
    // A field that was left out is missing now, which is no mistake of the form's.
    const news = others.filter(([field]) => !wrong.has(field.split('.')[0]))
    if (news.length === 0) break
    Object.assign(found, Object.fromEntries(news))
  }
  return found
}

/** Nobody's name or password. */
const aText = () => `x${randomBytes(5).toString('hex').slice(1)}`

/** Undefined for what Zod throws at: a `length` such as { "toString": 1 }. */
function parse(schema: ZodType, body: object) {
  try {
    return schema.safeParse(body)
  } catch {
    return undefined
  }
}

async function mistakesIn(
  body: object,
  {
    schema,
    handle,
    messagesOf,
    wrong,
  }: Omit<Parameters<typeof allMistakes>[1], 'sent'> & { wrong: ReadonlySet<string | undefined> },
): Promise<FieldMessages | undefined> {
  const tried = parse(schema, body)
  if (!tried) return undefined
  const lacking = new Set(tried.error?.issues.map(({ path }) => String(path[0])))
  const standIns = [...lacking].filter((field) => wrong.has(field) && !(field in body))
  const parsed =
    standIns.length === 0
      ? tried
      : parse(schema, {
          ...body,
          ...Object.fromEntries(standIns.map((field) => [field, aText()])),
        })
  if (!parsed) return undefined
  if (!parsed.success) {
    return Object.fromEntries(
      Map.groupBy(parsed.error.issues, ({ path }) => path.join('.') || '_form')
        .entries()
        .map(([field, issues]) => [field, issues.map(({ message }) => message)]),
    )
  }
  try {
    await rehearse(() => handle(parsed.data))
    return undefined
  } catch (error) {
    return messagesOf(error)
  }
}
