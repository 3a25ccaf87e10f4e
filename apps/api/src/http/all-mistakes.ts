import type { FieldMessages } from '@tallyroom/contract/errors'
import { z, type ZodType } from 'zod'
import { rehearse } from '../db/transaction.ts'

/** As many rounds as a form has kinds of rules that only its handler knows, and some more. */
const MOST_ROUNDS = 6

/**
 * What else is wrong with a form, beside the mistakes that were found first: the fields with mistakes are left out, and the
 * rest is tried again, by the schema and then by the handler, whose transaction is rolled back. It ends with what can't be
 * judged without the fields that are wrong, such as a field that a new object must have.
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
    if (right.length === rest.length) break
    rest = right
    const more = await mistakesIn(Object.fromEntries(rest), { schema, handle, messagesOf })
    const others = Object.entries(more ?? {}).filter(([field]) => !(field in found))
    // A field that was left out is missing now, which is no mistake of the form's.
    const news = others.filter(([field]) => !wrong.has(field.split('.')[0]))
    if (news.length === 0) break
    Object.assign(found, Object.fromEntries(news))
  }
  return found
}

async function mistakesIn(
  body: object,
  { schema, handle, messagesOf }: Omit<Parameters<typeof allMistakes>[1], 'sent'>,
): Promise<FieldMessages | undefined> {
  const parsed = schema.safeParse(body)
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
