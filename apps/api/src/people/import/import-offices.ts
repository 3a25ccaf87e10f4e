import type { RequestOf } from '@tallyroom/contract/endpoint'
import { OFFICE_COLUMNS, type OfficeColumn } from '@tallyroom/contract/people/import'
import { officesEndpoints } from '@tallyroom/contract/people/offices'
import { sightOf } from '../../access/sight.ts'
import { getNewOffice } from '../offices/office-form.queries.ts'
import { addOffice } from '../offices/save-office.ts'
import { type ImportKind, type JudgedLine, judgeUsernames, leftOut } from './import-people.ts'
import { findOfficesNamed } from './known-names.queries.ts'
import { type Column, type PeopleRow, problemsOf, readPeople } from './read-people.ts'

type NewOffice = RequestOf<typeof officesEndpoints.createOffice>['body']

const columns: Record<OfficeColumn, Column> = {
  officeName: {
    heading: OFFICE_COLUMNS.officeName,
    also: ['office', 'name', 'company', 'companyname'],
    needed: true,
  },
  username: { heading: OFFICE_COLUMNS.username, also: ['user', 'login'], needed: true },
  manFirstName: {
    heading: OFFICE_COLUMNS.manFirstName,
    also: ['firstname', 'managersfirstname', 'manfirstname'],
    needed: true,
  },
  manLastName: {
    heading: OFFICE_COLUMNS.manLastName,
    also: ['lastname', 'surname', 'managerslastname', 'manlastname'],
    needed: true,
  },
  manEmail: {
    heading: OFFICE_COLUMNS.manEmail,
    also: ['email', 'emailaddress', 'mail', 'managersemail', 'manemail'],
  },
  agentNotes: {
    heading: OFFICE_COLUMNS.agentNotes,
    also: ['agentnotes', 'notesforagents', 'note', 'notes'],
  },
}

/** Offices. Each may sell every site and gets the first active domain, as the form has it. */
export const officeImport: ImportKind<NewOffice> = {
  async read(db, viewer, bytes) {
    const { rows, ...how } = readPeople(bytes, columns)
    const named = rows.map(({ values }) => values.officeName)
    const offices = await findOfficesNamed(db, sightOf(viewer), named)
    const known: Known = {
      names: new Set(offices.map(({ wanted }) => wanted)),
      lines: new Map(),
      whyTaken: await judgeUsernames(
        db,
        rows.map(({ values }) => values.username.normalize('NFKC')),
      ),
    }
    return { ...how, lines: rows.map((row) => judge(row, known)) }
  },

  async add(tx, { form, password, by }) {
    const id = await addOffice(tx, form, { password, by, now: tx.now })
    const { account_id: accountId } = await getNewOffice(tx, id)
    return { id, accountId }
  },
}

type Known = {
  /** Of offices that exist, as the file has them. */
  names: ReadonlySet<string>
  /** The lines of the file that are new, by name in lower case. */
  lines: Map<string, number>
  whyTaken: Awaited<ReturnType<typeof judgeUsernames>>
}

function judge(
  { line, values, unreadable }: PeopleRow<OfficeColumn>,
  { names, lines, whyTaken }: Known,
): JudgedLine<NewOffice> {
  const { officeName, username, manEmail } = values
  const told = { line, username, name: officeName, officeName: '', email: manEmail }
  const name = officeName.toLowerCase()
  if (unreadable !== undefined) return leftOut(told, 'faulty', unreadable)
  if (names.has(officeName)) return leftOut(told, 'exists', 'exists already')
  const parsed = officesEndpoints.createOffice.body?.safeParse({
    ...values,
    invite: manEmail === '' ? 'link' : 'mail',
  })
  if (!parsed?.success)
    return leftOut(told, 'faulty', parsed ? problemsOf(parsed.error, columns) : 'can’t be read')
  const first = lines.get(name)
  if (first !== undefined) return leftOut(told, 'faulty', `office name is also on line ${first}`)
  const taken = whyTaken(parsed.data.username, line)
  if (taken !== undefined) return leftOut(told, 'faulty', taken)
  lines.set(name, line)
  return { ...told, fate: 'new', why: null, form: parsed.data }
}
