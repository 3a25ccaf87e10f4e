import { usernameSchema } from '@tallyroom/contract/people/passwords'
import { emailSchema, line } from '@tallyroom/contract/list'
import { requestFor } from '@tallyroom/contract/messages'
import { officeNameSchema } from '@tallyroom/contract/people/offices'
import { isDay, startOfDay } from '@tallyroom/domain/new-york'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { decodeText, LOST, type TextEncoding } from '../../lib/files/decode-text.ts'
import { isUsableBcrypt } from '../../lib/old-password.ts'
import type { HashKind, StagedAgent } from './staged-agents.queries.ts'
import { OperatorError } from '../../lib/operator-error.ts'

/** An agent from a file, with the md5 hash still as the old server stored it. */
export type ReadAgent = StagedAgent & { line: number }

/** `line` counts from 1: the line of the file, or the entry of the JSON list. */
export type BadLine = { line: number; problem: string }

export type ReadFile = {
  agents: ReadAgent[]
  bad: BadLine[]
  /** Unknown columns, which were ignored. */
  ignored: string[]
  encoding: TextEncoding
}

/**
 * Parses the agents of an old server from a CSV file with a header (commas, semicolons or tabs) or a JSON list
 * of objects, in any encoding that `decodeText` recognizes. An entry with letters that were lost before is refused.
 *
 * The columns, in any spelling (`password_hash`, `Password Hash`, `passwordHash`), are office, username and
 * password hash; first name, last name, email and registered are optional.
 *
 * @throws FileError if the file as a whole cannot be parsed.
 */
export function readAgents(bytes: Uint8Array): ReadFile {
  const { text, encoding } = decodeText(bytes)
  const { entries, bad } = /^\s*\[/.test(text) ? readJson(text) : readCsv(text)
  const ignored = new Set<string>()
  const agents: ReadAgent[] = []
  const lineOfUsername = new Map<string, number>()

  for (const { line: number, fields } of entries) {
    const known = knownFields(fields, ignored)
    if (Object.values(known).some((value) => typeof value === 'string' && LOST.test(value))) {
      bad.push({ line: number, problem: LOST_LETTERS })
      continue
    }
    const parsed = agentSchema.safeParse(known)
    if (!parsed.success) {
      bad.push({ line: number, problem: problemsOf(parsed.error) })
      continue
    }
    const key = parsed.data.username.toLowerCase()
    const first = lineOfUsername.get(key)
    if (first !== undefined) {
      bad.push({ line: number, problem: `username is also on line ${first}` })
      continue
    }
    lineOfUsername.set(key, number)
    agents.push({ ...parsed.data, line: number })
  }
  return { agents, bad: bad.toSorted((a, b) => a.line - b.line), ignored: [...ignored], encoding }
}

/** The whole file is invalid. The message is for the operator. */
export class FileError extends OperatorError {
  override name = 'FileError'
}

const LOST_LETTERS = 'has letters that were lost when the file was saved. Export it again, as UTF-8'

type Entry = { line: number; fields: Record<string, unknown> }

/** Normalized: case, spaces and underscores are ignored. */
const columns = new Map<string, keyof z.input<typeof agentSchema>>([
  ['office', 'officeName'],
  ['officename', 'officeName'],
  ['company', 'officeName'],
  ['username', 'username'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['email', 'email'],
  ['passwordhash', 'passwordHash'],
  ['password', 'passwordHash'],
  ['hash', 'passwordHash'],
  ['registered', 'registeredAt'],
  ['registeredat', 'registeredAt'],
  ['regtime', 'registeredAt'],
])

const needed = ['officeName', 'username', 'passwordHash'] as const

const spelled = (column: string) => column.toLowerCase().replaceAll(/[^\da-z]/g, '')

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

const nameSchema = optional(line(64).trim()).transform((name) => name ?? '')

const agentSchema = z
  .object({
    officeName: officeNameSchema,
    username: usernameSchema,
    firstName: nameSchema,
    lastName: nameSchema,
    email: optional(emailSchema),
    passwordHash: z
      .string()
      .trim()
      .transform((hash, context) => {
        const hashKind = kindOf(hash)
        if (hashKind) return { passwordHash: hash, hashKind }
        context.addIssue('must be a bcrypt hash (cost up to 14), an md5 hash or an argon2id hash')
        return z.NEVER
      }),
    registeredAt: optional(
      z
        .string()
        .trim()
        .refine((text) => isDay(text) || z.iso.datetime({ offset: true }).safeParse(text).success, {
          message: 'must be a day such as 2019-03-31, or a time such as 2019-03-31T15:00:00Z',
        })
        .transform((text) => (isDay(text) ? startOfDay(text) : new Date(text))),
    ),
  })
  .transform(({ passwordHash, email, registeredAt, ...agent }) => ({
    ...agent,
    ...passwordHash,
    email,
    registeredAt,
  }))

function kindOf(hash: string): HashKind | undefined {
  if (isUsableBcrypt(hash)) return 'bcrypt'
  if (/^[\da-f]{32}$/i.test(hash)) return 'md5'
  // Only with our own cost, as verifying another might be too expensive.
  if (/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/.test(hash)) return 'argon2id'
  return undefined
}

function knownFields(fields: Record<string, unknown>, ignored: Set<string>) {
  const known: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const field = columns.get(spelled(name))
    if (field) known[field] = value
    else ignored.add(name)
  }
  return known
}

const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path: [field], message }) => {
      const label = labels[String(field)]
      return message === requestFor(String(field)) ? `${label} is required` : `${label} ${message}`
    })
    .join('; ')

const labels: Record<string, string> = {
  officeName: 'office',
  username: 'username',
  firstName: 'first name',
  lastName: 'last name',
  email: 'email',
  passwordHash: 'password hash',
  registeredAt: 'registered',
}

function readCsv(text: string): { entries: Entry[]; bad: BadLine[] } {
  if (text.trim() === '') throw new FileError('The file is empty.')
  const bad: BadLine[] = []
  let unclosed = false
  const records = parse(text, {
    bom: true,
    columns: requireColumns,
    delimiter: delimiterOf(text),
    skip_empty_lines: true,
    info: true,
    // A quote within a field is an ordinary character. The resulting field is validated.
    relax_quotes: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      unclosed ||= error?.code === 'CSV_QUOTE_NOT_CLOSED'
      // The library's message would repeat the input.
      if (error)
        bad.push({
          line: Number(error.lines),
          problem: 'has more or fewer fields than the header',
        })
      return undefined
    },
  }) as unknown as { info: { lines: number }; record: Record<string, string> }[] // with the option `info`
  const entries = records.map(({ info, record }) => ({ line: info.lines, fields: record }))
  if (unclosed) {
    throw new FileError(`A quote that opens after line ${entries.at(-1)?.line ?? 1} is not closed.`)
  }
  return { entries, bad }
}

/** The most frequent delimiter in the header. */
function delimiterOf(text: string): string {
  const heading = /^.*/.exec(text)?.[0] ?? ''
  const count = (delimiter: string) => heading.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

function requireColumns(heading: string[]): string[] {
  const given = new Set(heading.map((name) => columns.get(spelled(name))))
  const missing = needed.filter((field) => !given.has(field)).map((field) => labels[field])
  if (missing.length > 0) {
    throw new FileError(`The first line must be a header. Missing: ${missing.join(', ')}.`)
  }
  return heading
}

function readJson(text: string): { entries: Entry[]; bad: BadLine[] } {
  const list = z.array(z.unknown()).safeParse(parseJson(text))
  if (!list.success) throw new FileError('The file must contain a list of objects.')
  const entries: Entry[] = []
  const bad: BadLine[] = []
  for (const [index, item] of list.data.entries()) {
    const fields = z.record(z.string(), z.unknown()).safeParse(item)
    if (fields.success) entries.push({ line: index + 1, fields: fields.data })
    else bad.push({ line: index + 1, problem: 'is not an object' })
  }
  return { entries, bad }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FileError('The file starts like JSON, but is not valid JSON.')
  }
}
