import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'
import { agentLabels, officeLabels } from './labels.ts'

/** The most lines of a file of offices or agents. */
export const MOST_IMPORTED = 1000

/** The columns of a file of offices, as the template has them: the fields of the form for a new one. */
export const OFFICE_COLUMNS = {
  officeName: officeLabels.officeName,
  username: officeLabels.username,
  manFirstName: officeLabels.manFirstName,
  manLastName: officeLabels.manLastName,
  manEmail: officeLabels.manEmail,
  agentNotes: officeLabels.agentNotes,
} as const
export type OfficeColumn = keyof typeof OFFICE_COLUMNS

/** The same of agents. An office may leave out the first one. */
export const AGENT_COLUMNS = {
  officeId: agentLabels.officeId,
  username: agentLabels.username,
  firstName: agentLabels.firstName,
  lastName: agentLabels.lastName,
  email: agentLabels.email,
  mustRead: agentLabels.mustRead,
} as const
export type AgentColumn = keyof typeof AGENT_COLUMNS

/** CSV, another separated text or an Excel workbook with a line of headings. 650 kB in base64. */
const fileSchema = secret(
  'bank file',
  z.base64('must be base64').min(1, missing).max(900_000, 'must have at most 650 kB'),
)
const bodySchema = z.strictObject({ file: fileSchema })

const lineSchema = z.object({
  /** In the file, from 1. */
  line: z.int(),
  username: z.string(),
  /** Of the office, or first and last name of the agent. */
  name: z.string(),
  /** Of an agent, as the file has it; empty of an office. */
  officeName: z.string(),
  email: z.string(),
  /** `new` lines are imported; those that exist are skipped, and faulty ones left out. */
  fate: z.enum(['new', 'exists', 'faulty']),
  /** Why it is not imported, continuing the line; null of a new one. */
  why: z.string().nullable(),
})
export type ImportLine = z.infer<typeof lineSchema>

const readSchema = z.object({
  /** Why nothing can be read; null if something can. */
  refused: z.string().nullable(),
  /** How the file was read: `Windows-1252, separated by semicolons`. */
  readAs: z.string(),
  /** Headings that mean nothing here. Their columns are not read. */
  ignored: z.array(z.string()),
  lines: z.array(lineSchema),
})
export type ReadImport = z.infer<typeof readSchema>

const importedSchema = z.object({
  ids: z.array(idSchema),
  /** How many of them were mailed an invitation. */
  mailed: z.int(),
  /** The others, who have no address. The link of each one’s invitation is a call of its own. */
  toHandOver: z.array(z.object({ id: idSchema, username: z.string() })),
  /** Lines that were skipped, and lines that were left out. */
  existing: z.int(),
  faulty: z.int(),
})
export type Imported = z.infer<typeof importedSchema>

/** Offices and agents from files. Each gets an account without a password, and chooses one by an invitation. */
export const importEndpoints = {
  checkOfficeFile: endpoint({
    method: 'POST',
    path: '/api/offices/import/check',
    summary: 'Read new offices from a file, and say what importing it would do',
    ability: 'offices.create',
    action: 'SEARCH',
    body: bodySchema,
    response: readSchema,
  }),
  importOffices: endpoint({
    method: 'PUT',
    path: '/api/offices/import',
    summary:
      'Create the offices of a file that are new, all in one transaction. Those with an address are mailed an invitation.',
    ability: 'offices.create',
    proof: 'recent',
    action: 'CREATE',
    once: true,
    body: bodySchema,
    response: importedSchema,
  }),
  checkAgentFile: endpoint({
    method: 'POST',
    path: '/api/agents/import/check',
    summary: 'Read new agents from a file, and say what importing it would do',
    ability: 'agents.create',
    action: 'SEARCH',
    body: bodySchema,
    response: readSchema,
  }),
  importAgents: endpoint({
    method: 'PUT',
    path: '/api/agents/import',
    summary:
      'Create the agents of a file that are new, all in one transaction, pending approval. Those with an address are mailed an invitation.',
    ability: 'agents.create',
    proof: 'recent',
    action: 'CREATE',
    once: true,
    body: bodySchema,
    response: importedSchema,
  }),
}
