import type { RequestOf } from '@tallyroom/contract/endpoint'
import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { AGENT_COLUMNS, type AgentColumn } from '@tallyroom/contract/people/import'
import { sightOf } from '../../access/sight.ts'
import { addAgent } from '../agents/save-agent.ts'
import { type ImportKind, type JudgedLine, judgeUsernames, leftOut } from './import-people.ts'
import { findAgentsNamed, findOfficesNamed } from './known-names.queries.ts'
import { type Column, type PeopleRow, problemsOf, readPeople } from './read-people.ts'

type NewAgent = RequestOf<typeof agentsEndpoints.createAgent>['body']

const columns: Record<AgentColumn, Column> = {
  officeId: { heading: AGENT_COLUMNS.officeId, also: ['officename', 'company', 'companyname'] },
  username: { heading: AGENT_COLUMNS.username, also: ['user', 'login'], needed: true },
  firstName: {
    heading: AGENT_COLUMNS.firstName,
    also: ['givenname', 'forename'],
    needed: true,
  },
  lastName: { heading: AGENT_COLUMNS.lastName, also: ['surname', 'familyname'], needed: true },
  email: { heading: AGENT_COLUMNS.email, also: ['emailaddress', 'mail'] },
  mustRead: { heading: AGENT_COLUMNS.mustRead, also: ['mustreadnote', 'note', 'notes'] },
}

type Names = {
  /** The offices that the viewer may choose, by name as the file has it. */
  offices: ReadonlyMap<string, { id: number; name: string }>
  /** The offices of agents whom the viewer sees, by username as the file has it. */
  agents: ReadonlyMap<string, string>
}

/** Agents, whose offices exist. An office imports its own. */
export const agentImport: ImportKind<NewAgent> = {
  async read(db, viewer, bytes) {
    const ofOffice = viewer.officeId
    const needed = ofOffice === undefined && { needed: true as const }
    const { rows, ...how } = readPeople(bytes, {
      ...columns,
      officeId: { ...columns.officeId, ...needed },
    })
    const sight = sightOf(viewer)
    const usernames = rows.map(({ values }) => values.username.normalize('NFKC'))
    const officeNames = rows.map(({ values }) => values.officeId)
    const offices = await findOfficesNamed(db, sight, officeNames)
    const agents = await findAgentsNamed(db, sight, usernames)
    const names: Names = {
      offices: new Map(offices.map((office) => [office.wanted, office])),
      agents: new Map(agents.map((one) => [one.wanted, one.officeName])),
    }
    const whyTaken = await judgeUsernames(db, usernames)
    return { ...how, lines: rows.map((row) => judge(row, { ofOffice, names, whyTaken })) }
  },

  async add(tx, { form, password, by }) {
    const { agentId: id, accountId } = await addAgent(tx, by, form, password)
    return { id, accountId }
  },
}

type Known = {
  ofOffice: number | undefined
  names: Names
  whyTaken: Awaited<ReturnType<typeof judgeUsernames>>
}

function judge(
  { line, values, unreadable }: PeopleRow<AgentColumn>,
  { ofOffice, names, whyTaken }: Known,
): JudgedLine<NewAgent> {
  const { officeId: officeName, ...fields } = values
  const told = {
    line,
    username: fields.username,
    name: [fields.firstName, fields.lastName].filter((part) => part !== '').join(' '),
    officeName,
    email: fields.email,
  }
  if (unreadable !== undefined) return leftOut(told, 'faulty', unreadable)
  const present = names.agents.get(fields.username.normalize('NFKC'))
  if (present !== undefined) return leftOut(told, 'exists', `exists already, in ${present}`)
  const office = names.offices.get(officeName)
  if (!office && (ofOffice === undefined || officeName !== '')) {
    const why =
      officeName === ''
        ? 'has no office'
        : ofOffice === undefined
          ? `there is no office “${officeName}”`
          : `“${officeName}” is not your office`
    return leftOut(told, 'faulty', why)
  }
  const parsed = agentsEndpoints.createAgent.body?.safeParse({
    ...fields,
    officeId: office?.id ?? ofOffice,
    invite: fields.email === '' ? 'link' : 'mail',
  })
  if (!parsed?.success)
    return leftOut(told, 'faulty', parsed ? problemsOf(parsed.error, columns) : 'can’t be read')
  const taken = whyTaken(parsed.data.username, line)
  if (taken !== undefined) return leftOut(told, 'faulty', taken)
  return { ...told, fate: 'new', why: null, form: parsed.data }
}
