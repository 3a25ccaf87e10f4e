import type { ChangedField, ObjectRef } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { addDays, atNewYork, type Day } from '@tallyroom/domain/new-york'
import type { Viewer } from '../../src/access/viewer.ts'
import type { Tx } from '../../src/db/database.ts'
import { appendCalls, findObjects } from '../../src/desk/index.ts'
import type { AnsweredCall } from '../../src/http/record-call.ts'
import type { Services } from '../../src/services.ts'
import { found } from './found.ts'
import type { Network } from './network.ts'

/** What somebody did: a call as the common logs would have recorded it. */
export type Deed = {
  by: string
  at: Date
  endpoint: Endpoint
  body?: object
  params?: object
  changed?: Changed
}

/** A step of pay that somebody takes. */
export type PayStep = Deed & {
  perform: (services: PayServices, viewer: Viewer) => Promise<unknown>
}

type PayServices = Pick<Services, 'db' | 'clock' | 'secret' | 'formerSecrets'> & {
  tx: Tx
}

/** The object that a deed changed. */
type Changed = { ref: ObjectRef; fields?: readonly ChangedField[] }

type Account = { id: number; ip: string | null }

/**
 * The common logs: who signed in, what changed and who changed it, in the hash chain. Nothing in
 * them contradicts the world as it is: rates changed only before the first sale.
 */
export async function insertDeeds(
  tx: Tx,
  {
    today,
    now,
    payDeeds,
    ...network
  }: Network & { today: Day; now: Date; payDeeds: readonly Deed[] },
): Promise<void> {
  const accounts = await findAccounts(tx)
  const at = (daysAgo: number, time: string) => atNewYork(addDays(today, -daysAgo), time)
  const done = [
    ...joinings(network, accounts, at),
    ...changesMade(network, at),
    ...payDeeds,
    ...(await signIns(tx, at(6, '00:00'))),
  ]
    .filter((deed) => deed.at < now)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const calls = []
  for (const deed of done) calls.push(await callOf(tx, deed, found(accounts.get(deed.by))))
  await appendCalls(tx, calls, (call) => call.at)
}

async function callOf(
  tx: Tx,
  { at, endpoint, body = {}, params = {}, changed }: Deed,
  { id, ip }: Account,
): Promise<AnsweredCall & { at: Date }> {
  return {
    at,
    endpoint,
    params,
    query: {},
    body,
    status: 200,
    accountId: id,
    signedInBy: undefined,
    ip: ip ?? '198.19.0.1',
    ...(changed && { changes: await changesOf(tx, changed) }),
  }
}

async function findAccounts(tx: Tx): Promise<Map<string, Account>> {
  const rows = await tx
    .selectFrom('accounts')
    .leftJoin('sessions', 'sessions.account_id', 'accounts.id')
    .select(({ fn }) => ['accounts.username', 'accounts.id', fn.min('sessions.ip').as('ip')])
    .groupBy(['accounts.username', 'accounts.id'])
    .execute()
  return new Map(rows.map(({ username, ...account }) => [username, account]))
}

async function changesOf(tx: Tx, { ref, fields = [] }: Changed) {
  const [kind, key] = ref.split(':') as [Parameters<typeof findObjects>[1], string]
  const { name, also } = found((await findObjects(tx, kind, [key], new Date(0))).get(key))
  return { objects: [ref, ...also], changes: { of: [{ ref, name, fields }], more: 0 } }
}

type At = (daysAgo: number, time: string) => Date

/** Agents who joined recently: added by their offices, then approved. */
const joinings = ({ agents }: Network, accounts: ReadonlyMap<string, Account>, at: At): Deed[] =>
  agents.flatMap(({ id, username, firstName, lastName, office, joinedDaysAgo, unapproved }) => {
    if (joinedDaysAgo === undefined) return []
    const add: Deed = {
      by: office.username,
      at: at(joinedDaysAgo, '10:30'),
      endpoint: endpoints.createAgent,
      body: { firstName, lastName, username },
      changed: { ref: `agent:${id}` },
    }
    const approve: Deed = {
      by: 'admin',
      at: at(joinedDaysAgo, '10:52'),
      endpoint: endpoints.approve,
      body: { ids: [found(accounts.get(username)).id] },
    }
    return unapproved ? [add] : [add, approve]
  })

function changesMade({ agents, sites }: Network, at: At): Deed[] {
  const agent = (name: string) => found(agents.find(({ username }) => username === name))
  const office = (name: string) => found(agents.find((one) => one.office.name === name)).office
  const site = (name: string) => found(sites.find(({ demo }) => demo.sitename === name))
  const type = (of: string, alias: string) =>
    found(site(of).types.find(({ demo }) => demo.typealias === alias)).row.id
  const deed = (
    by: string,
    when: Date,
    endpoint: Endpoint,
    body = {},
    changed?: Changed,
  ): Deed => ({
    by,
    at: when,
    endpoint,
    body,
    ...(changed && { changed }),
  })
  /** The change of a field of an object. */
  const to = (ref: ObjectRef, field: string, [before, after]: readonly [string, string]) => ({
    ref,
    fields: [{ field, from: before, to: after }],
  })
  const pay = (typeId: number, payout: [string, string]) =>
    to(`linkType:${typeId}`, 'payout', payout)

  const { publishNews, publishAlert, agentsStatus, officesStatus } = endpoints
  const { updateAgent, updateOffice, updateSite, updateLinkType } = endpoints
  const [maria, tessa, jun, edwin] = ['maria', 'tessa', 'jun', 'edwin'].map(agent)
  const [manila, cebu, iloilo] = ['Manila', 'Cebu', 'Iloilo'].map(office)
  const [lantern, copper] = ['Lantern Live', 'Copper Ace'].map(site)
  const boss = 'superadmin'
  return [
    deed(
      boss,
      at(152, '15:20'),
      updateLinkType,
      {},
      pay(type('Lantern Live', 'credits'), ['₱380.00', '₱400.00']),
    ),
    deed(
      boss,
      at(139, '11:43'),
      updateLinkType,
      {},
      pay(type('Velvet Stage', 'gold'), ['₱1,000.00', '₱1,050.00']),
    ),
    deed(
      boss,
      at(131, '16:05'),
      updateLinkType,
      {},
      pay(type('Lantern Live', 'premium'), ['₱850.00', '₱900.00']),
    ),
    deed(
      boss,
      at(120, '10:30'),
      endpoints.saveOptions,
      {},
      {
        ref: 'options:0',
        fields: ['Payout', 'LPP'].map((what) => ({
          field: `option ${what} Visible`,
          from: 'off',
          to: 'on',
        })),
      },
    ),
    ...[45, 16, 2].map((daysAgo) => deed(boss, at(daysAgo, '10:30'), publishNews)),
    deed(boss, at(3, '10:30'), publishAlert, { enable: true }),
    deed(
      'manila',
      at(38, '08:15'),
      updateAgent,
      {},
      to(`agent:${maria?.id}`, 'first name', ['Ma.', 'Maria']),
    ),
    deed(
      'manila',
      at(31, '11:05'),
      updateAgent,
      {},
      to(`agent:${tessa?.id}`, 'Must Read', ['', tessa?.mustRead ?? '']),
    ),
    deed(
      boss,
      at(26, '16:02'),
      agentsStatus,
      { ids: [jun?.id], hidden: true },
      to(`agent:${jun?.id}`, 'hidden', ['no', 'yes']),
    ),
    deed(
      'maria',
      at(21, '21:34'),
      endpoints.changePassword,
      {},
      { ref: `agent:${maria?.id}`, fields: [{ field: 'password' }] },
    ),
    deed(
      boss,
      at(17, '11:48'),
      updateSite,
      {},
      to(`site:${lantern?.row.id}`, 'contact name', ['Owen Reed', lantern?.demo.contactName ?? '']),
    ),
    deed(
      boss,
      at(14, '17:26'),
      updateSite,
      {},
      to(`site:${copper?.row.id}`, 'phone', ['+1 555 0117', copper?.row.phone_num ?? '']),
    ),
    deed(
      boss,
      at(12, '09:41'),
      officesStatus,
      { ids: [iloilo?.id], active: false },
      to(`office:${iloilo?.id}`, 'state', ['Activated', 'Suspended']),
    ),
    deed(
      boss,
      at(8, '14:19'),
      updateOffice,
      {},
      to(`office:${cebu?.id}`, 'Must Read', ['', cebu?.agentNotes ?? '']),
    ),
    deed(
      'admin',
      at(6, '13:12'),
      agentsStatus,
      { ids: [edwin?.id], loginBlocked: true },
      to(`agent:${edwin?.id}`, 'login blocked', ['no', 'yes']),
    ),
    deed(
      boss,
      at(5, '09:57'),
      updateOffice,
      {},
      to(`office:${manila?.id}`, 'preferred domain', [
        'https://r.paperboat.example',
        'https://go.brightlane.example',
      ]),
    ),
    deed('admin', at(4, '10:11'), endpoints.addBlackListIp, { ip: '198.51.100.23' }),
    deed('admin', at(4, '10:40'), endpoints.deleteBlackListIpsByValue, { ips: ['198.51.100.23'] }),
  ]
}

/** The sign-ins since a time, as the login logs have them. */
async function signIns(tx: Tx, since: Date): Promise<Deed[]> {
  const sessions = await tx
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.username as by', 'sessions.started_at as at'])
    .where('sessions.started_at', '>=', since)
    .orderBy('sessions.id')
    .execute()
  return sessions.map(({ by, at }) => ({
    by,
    at,
    endpoint: endpoints.login,
    body: { username: by },
  }))
}
