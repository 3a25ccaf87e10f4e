import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type ImportLine, importEndpoints } from '@tallyroom/contract/people/import'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice, buildSite } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { about } from '../../../test/test-clock.ts'
import { until } from '../../../test/until.ts'
import { inPlainTransaction } from '../../db/transaction.ts'
import type { Viewer } from '../../access/viewer.ts'
import { importRoutes } from './import.routes.ts'

const database = await testDatabase()
const services = testServices(database)
const { db } = database
const call = await callRoutes(importRoutes(services))
const { checkAgentFile, checkOfficeFile, importAgents, importOffices } = importEndpoints

const root = await buildAccount(db, { username: 'root' })
const boss: Viewer = { ...viewer(), accountId: root }
const ann: Viewer = {
  ...viewer({ role: 'admin', officeId: undefined, agentId: undefined }),
  accountId: await buildAccount(db, { role: 5, username: 'ann' }),
}
const site = await buildSite(db)
const manila = await buildOffice(db, { name: 'Manila', username: 'manila' })
const cebu = await buildOffice(db, { name: 'Cebu', username: 'cebu' })
const suspended = await buildOffice(db, { name: 'Davao', username: 'davao', active: false })
await buildAgent(db, { office_id: manila, username: 'maria' })
await buildAgent(db, { office_id: cebu, username: 'carlo' })
const { id: managerId } = await db
  .selectFrom('accounts')
  .select('id')
  .where('office_id', '=', manila)
  .executeTakeFirstOrThrow()
const manager: Viewer = {
  ...viewer({ role: 'company', officeId: manila, agentId: undefined }),
  accountId: managerId,
}

beforeEach(() => db.deleteFrom('mails').execute())

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const send = (who: Viewer, endpoint: Endpoint, text: string | Buffer, key?: string) =>
  call(who, endpoint, { body: { file: base64(text) }, ...(key && { key }) })
const fatesOf = ({ lines }: { lines: ImportLine[] }) =>
  lines.map(({ line, username, fate, why }) => [line, username, why ?? fate])
const countAll = async () => {
  const [offices, agents, accounts] = await Promise.all(
    (['offices', 'agents', 'accounts'] as const).map((table) =>
      db.selectFrom(table).select('id').execute(),
    ),
  )
  return [offices?.length, agents?.length, accounts?.length]
}
const accountOf = (username: string) =>
  db
    .selectFrom('accounts')
    .leftJoin('agents', 'agents.id', 'accounts.agent_id')
    .select([
      'accounts.id',
      'accounts.email',
      'accounts.new_email',
      'accounts.invited_at',
      'accounts.invitation_ends_at',
      'accounts.password_sealed',
      'accounts.office_id',
      'agents.office_id as agentOf',
      'agents.first_name',
      'agents.last_name',
      'agents.must_read',
      'agents.active',
      'agents.approved_at',
    ])
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow()

const head = 'Office,Username,First name,Last name,Email,Must Read'

describe('a file of agents', () => {
  test('is previewed with the fate of each line, and nothing is written', async () => {
    const before = await countAll()
    const text = [
      head,
      'manila,nina,Nina,Reyes,nina@example.com,Smile.',
      'Cebu,omar,Omar,Cruz,,',
      'Manila,MARIA,Maria,Santos,,',
      'Manila,root,Ro,Ot,,',
      'Quezon,olga,Olga,Cruz,,',
      ',otto,Otto,Cruz,,',
      'Cebu,,Otto,Cruz,,',
      'Cebu,otto,Otto,,,',
      'Cebu,otto,Otto,Cruz,otto at home,',
      'Cebu,waytoolong11,Otto,Cruz,,',
      'Cebu,NINA,Other,Nina,,',
      'Cebu,0mar,Other,Omar,,',
      'Cebu,otto,=HYPERLINK("http://x"),Cruz,,',
      'Cebu,otto,Otto,Cruz,,,more',
      'Davao,dina,Dina,Cruz,,',
    ].join('\n')
    const { status, body } = await send(ann, checkAgentFile, text)
    expect([status, body.refused, body.ignored]).toEqual([200, null, []])
    expect(body.readAs).toBe('UTF-8, separated by commas')
    expect(fatesOf(body)).toEqual([
      [2, 'nina', 'new'],
      [3, 'omar', 'new'],
      [4, 'MARIA', 'exists already, in Manila'],
      [5, 'root', 'username is already taken'],
      [6, 'olga', 'there is no office “Quezon”'],
      [7, 'otto', 'has no office'],
      [8, '', 'has no username'],
      [9, 'otto', 'has no last name'],
      [10, 'otto', 'email must be an email address'],
      [11, 'waytoolong11', 'username must have at most 10 characters'],
      [12, 'NINA', 'username is also on line 2'],
      [13, '0mar', 'username looks too similar to that on line 3'],
      [
        14,
        'otto',
        'has a formula, “=HYPERLINK("http://x")”. If it is a text, put an apostrophe (\') before it',
      ],
      [15, 'otto', 'has more fields than its headings'],
      // An admin without *Show suspended* can't choose this office in the form.
      [16, 'dina', 'there is no office “Davao”'],
    ])
    expect(await countAll()).toEqual(before)
    expect(await sentMails(services)).toEqual([])
  })

  test('is imported once: by mail to those who have an address, and the others by a link', async () => {
    const [offices = 0, agents = 0, accounts = 0] = await countAll()
    const text = [
      head,
      'Manila,pia,Pia,Reyes,pia@example.com,Smile.',
      'Cebu,paolo,Paolo,Cruz,,',
      'Manila,maria,Maria,Santos,,',
      'Manila,,Nobody,At all,,',
    ].join('\n')
    const first = await send(ann, importAgents, text, 'the-key-of-one-form')
    expect([first.status, first.body]).toEqual([
      200,
      {
        ids: [expect.any(Number), expect.any(Number)],
        mailed: 1,
        toHandOver: [{ id: first.body.ids[1], username: 'paolo' }],
        existing: 1,
        faulty: 1,
      },
    ])
    const again = await send(ann, importAgents, text, 'the-key-of-one-form')
    expect(again.body).toEqual(first.body)
    expect(await countAll()).toEqual([offices, agents + 2, accounts + 2])
    const now = services.clock.peek()
    expect(await accountOf('pia')).toMatchObject({
      email: null,
      new_email: 'pia@example.com',
      invited_at: about(now),
      invitation_ends_at: about(new Date(now.getTime() + 7 * 86_400_000)),
      password_sealed: null,
      agentOf: manila,
      first_name: 'Pia',
      last_name: 'Reyes',
      must_read: 'Smile.',
      active: true,
      approved_at: null,
    })
    expect(await accountOf('paolo')).toMatchObject({
      invited_at: about(now),
      invitation_ends_at: null,
      agentOf: cebu,
    })
    const [mail, ...others] = await sentMails(services)
    expect([mail?.to, others]).toEqual(['pia@example.com', []])
    expect(mail?.text).toContain('Your username is pia.')
    const hands = await db
      .selectFrom('account_hands')
      .select('made_by')
      .where('account_id', '=', (await accountOf('pia')).id)
      .execute()
    expect(new Set(hands.map((hand) => hand.made_by))).toEqual(new Set([ann.accountId]))

    // The same file later, as a second form: all of them exist by now.
    const later = await send(ann, importAgents, text)
    expect([later.status, later.body.data]).toEqual([422, { file: ['has nobody new'] }])
  })

  test('of an office makes its own agents, whatever the file says', async () => {
    const text = [
      'username;first_name;LASTNAME;Office;Shoe size',
      'rosa;Rosa;Cruz;Manila;38',
      'rina;Rina;Cruz;;39',
      'ruby;Ruby;Cruz;Cebu;40',
      'carlo;Carlo;Cruz;;41',
    ].join('\r\n')
    const { body } = await send(manager, checkAgentFile, text)
    expect([body.readAs, body.ignored]).toEqual(['UTF-8, separated by semicolons', ['Shoe size']])
    expect(fatesOf(body)).toEqual([
      [2, 'rosa', 'new'],
      [3, 'rina', 'new'],
      [4, 'ruby', '“Cebu” is not your office'],
      // They are told no more than the form for one agent tells them.
      [5, 'carlo', 'username is already taken'],
    ])
    expect((await send(manager, importAgents, text)).body.ids).toHaveLength(2)
    expect([await accountOf('rosa'), await accountOf('rina')]).toMatchObject([
      { agentOf: manila },
      { agentOf: manila },
    ])
    const own = await send(manager, checkAgentFile, 'Username,First name,Last name\nsara,Sara,Cruz')
    expect(fatesOf(own.body)).toEqual([[2, 'sara', 'new']])
  })

  test.each([
    ['with a byte order mark', Buffer.from(`\ufeff${head}\nManila,tess,Tess,Peña,,\n`), 'UTF-8'],
    [
      'in Windows-1252',
      Buffer.from(`${head.replaceAll(',', ';')}\nManila;tess;Tess;Peña;;\n`, 'latin1'),
      'Windows-1252',
    ],
    ['in UTF-16', Buffer.from(`\ufeff${head}\nManila,tess,Tess,Peña,,\n`, 'utf16le'), 'UTF-16'],
  ])('%s is read, and it is told how', async (_, bytes, encoding) => {
    const { body } = await send(boss, checkAgentFile, bytes)
    expect(body.readAs).toContain(encoding)
    expect(body.lines).toEqual([
      {
        line: 2,
        username: 'tess',
        name: 'Tess Peña',
        officeName: 'Manila',
        email: '',
        fate: 'new',
        why: null,
      },
    ])
  })

  test('takes what an export guards from spreadsheets as the text that it is', async () => {
    const text = `${head}\nManila,uma,'=1+1,Cruz,,"'- Smile.\n- Call."`
    await send(boss, importAgents, text)
    expect(await accountOf('uma')).toMatchObject({
      first_name: '=1+1',
      must_read: '- Smile.\n- Call.',
    })
  })

  test('may have letters of any kind, but none that nobody sees', async () => {
    const text = [
      head,
      "Manila,vera,<b>Vera</b>,O'Hara; drop table agents,,",
      'Manila,ve\u202era,Vera,Cruz,,',
      'Manila,vito,Vi\u0007to,Cruz,,',
    ]
    const { body } = await send(boss, checkAgentFile, text.slice(0, 3).join('\n'))
    expect(fatesOf(body)).toEqual([
      [2, 'vera', 'new'],
      [3, 've\u202era', 'username must not have invisible characters'],
    ])
    const control = await send(boss, checkAgentFile, text.join('\n'))
    expect(control.body.refused).toBe('it is not a text')
    const lost = await send(boss, checkAgentFile, `${head}\nManila,vera,Ve\ufffdra,Cruz,,`)
    expect(fatesOf(lost.body)).toEqual([
      [2, 'vera', 'has letters that were lost when the file was saved. Save it again, as UTF-8'],
    ])
  })
})

describe('a file of offices', () => {
  const officeHead = 'Office name,Username,Manager first name,Manager last name,Manager email'

  test('is previewed and imported like agents, with every site', async () => {
    const text = [
      officeHead,
      'Baguio,baguio,Ben,Cruz,ben@example.com',
      'MANILA,other,Ann,Cruz,',
      'Iloilo,cebu,Ivy,Cruz,',
      'baguio,baguio2,Ben,Cruz,',
      'Tarlac,tarlac,,Cruz,',
      'Batangas,batangas,Bea,Cruz,',
    ].join('\n')
    const { body } = await send(boss, checkOfficeFile, text)
    expect(fatesOf(body)).toEqual([
      [2, 'baguio', 'new'],
      [3, 'other', 'exists already'],
      [4, 'cebu', 'username is already taken'],
      [5, 'baguio2', 'office name is also on line 2'],
      [6, 'tarlac', 'has no manager first name'],
      [7, 'batangas', 'new'],
    ])
    const done = await send(boss, importOffices, text)
    const [baguio, batangas] = done.body.ids
    expect(done.body).toEqual({
      ids: [baguio, batangas],
      mailed: 1,
      toHandOver: [{ id: batangas, username: 'batangas' }],
      existing: 1,
      faulty: 3,
    })
    const sites = await db
      .selectFrom('office_sites')
      .select('site_id')
      .where('office_id', '=', baguio)
      .execute()
    expect(sites).toEqual([{ site_id: site }])
    expect((await sentMails(services)).map(({ to }) => to)).toEqual(['ben@example.com'])
    expect(await accountOf('baguio')).toMatchObject({
      email: 'ben@example.com',
      invited_at: about(services.clock.peek()),
    })
  })

  test('is for superadmins alone', async () => {
    for (const who of [ann, manager])
      for (const endpoint of [checkOfficeFile, importOffices])
        expect((await send(who, endpoint, `${officeHead}\nLipa,lipa,Lea,Cruz,`)).status).toBe(403)
  })
})

test.each([
  ['a PDF', '%PDF-1.7', 'it is a PDF; ask for CSV or Excel'],
  [
    'a page',
    '<html><table>',
    'it is a web page or XML; save it as CSV or as an Excel workbook (.xlsx)',
  ],
  [
    'a file without headings',
    'Manila,nina,Nina,Reyes',
    'its first line must have the headings. Missing: “Office”, “Username”, “First name”, “Last name”',
  ],
  ['a file of headings', head, 'there is no line below the headings'],
  ['two columns of one kind', `${head},E-mail\nManila,a,b,c,,,`, 'it has two columns for “Email”'],
  [
    'a line more than a thousand',
    `${head}\n${'Manila,a,b,c,,\n'.repeat(1001)}`,
    'it has more than 1,000 lines',
  ],
])('%s is refused as a whole', async (_, text, why) => {
  const { body } = await send(boss, checkAgentFile, text)
  expect([body.refused, body.lines]).toEqual([why, []])
  const refused = await send(boss, importAgents, text)
  expect([refused.status, refused.body.data]).toEqual([422, { file: [`can’t be read: ${why}`] }])
})

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows.length > 0
}

test('all lines are one import: with a name that is taken meanwhile there is none', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `Cebu,w${n},Wanda,Cruz,w${n}@example.com,`)
  const before = await countAll()
  const racing = `${head}\n${lines.slice(0, 2).join('\n')}`
  // Another transaction takes the name while the import waits for it.
  const refused = await inPlainTransaction(db, async (tx) => {
    await buildAccount(tx, { username: 'w1', username_look: 'w1' })
    const importing = send(boss, importAgents, racing)
    await until(isSomebodyWaiting)
    return { importing }
  })
  expect((await refused.importing).status).toBe(409)
  expect((await countAll())[1]).toBe(before[1])
  await db.deleteFrom('accounts').where('username', '=', 'w1').execute()

  const done = await send(boss, importAgents, [head, ...lines].join('\n'))
  expect([done.status, done.body.ids?.length, done.body.mailed]).toEqual([200, 40, 40])
  expect((await countAll())[1]).toBe((before[1] ?? 0) + 40)
})

test('names are compared as the database does', async () => {
  await buildOffice(db, { name: 'ΠΑΡΟΣ', username: 'paros' })
  const offices = 'Office name,Username,Manager first name,Manager last name\nΠΑΡΟΣ,p3,Pia,Cruz'
  const { body } = await send(boss, checkOfficeFile, offices)
  expect(fatesOf(body)).toEqual([[2, 'p3', 'exists already']])
  const agents = await send(boss, checkAgentFile, `${head}\nΠΑΡΟΣ,pavlos,Pavlos,Cruz,,`)
  expect(fatesOf(agents.body)).toEqual([[2, 'pavlos', 'new']])
})

test('an office that is suspended can be chosen by whoever sees it', async () => {
  const { body } = await send(boss, importAgents, `${head}\nDavao,xena,Xena,Cruz,,`)
  expect(body.ids).toHaveLength(1)
  expect(await accountOf('xena')).toMatchObject({ agentOf: suspended })
})
