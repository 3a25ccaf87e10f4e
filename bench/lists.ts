import { deepStrictEqual } from 'node:assert'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentItem,
  agentsEndpoints,
  type AgentsSearch,
} from '@tallyroom/contract/people/agents'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import {
  type OfficeItem,
  officesEndpoints,
  type OfficesSearch,
} from '@tallyroom/contract/people/offices'
import { roleNumber } from '@tallyroom/domain/roles'
import type { FastifyInstance } from 'fastify'
import { type AppServices, buildApp } from '../apps/api/src/app.ts'
import { parseConfig } from '../apps/api/src/config.ts'
import { type Db, openDatabase } from '../apps/api/src/db/database.ts'
import { migrate } from '../apps/api/src/db/migrate.ts'
import { resolveConnection } from '../apps/api/src/db/resolve-connection.ts'
import { inTransaction } from '../apps/api/src/db/transaction.ts'
import { accountOf } from '../apps/api/src/people/accounts/account.ts'
import { selectAccounts } from '../apps/api/src/people/accounts/accounts.queries.ts'
import { openSession } from '../apps/api/src/people/sessions/open-session.ts'
import { storesOf } from '../apps/api/src/start/stores.ts'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { silentLog } from '../apps/api/src/lib/log/log.ts'
import {
  agents,
  offices,
  type OwnSort,
  pageOf,
  pageSize,
  type Reference,
} from './lists-references.ts'
import { buildWorld, world } from './lists-world.ts'
import { median, msOf } from './measure.ts'

const rounds = 15

/**
 * Measures the lists of agents and offices on the server, a complete call without the network: session, query,
 * count, passwords, audit log. Alternates with reading the page's rows by id only, and reports medians. Fails
 * if a list differs from a naive query. Uses a separate embedded engine.
 */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-bench-'))
  // The engine may run as another user.
  await chmod(dataDir, 0o711)
  const { connection, stop } = await resolveConnection(
    { databaseUrl: undefined, appDatabaseUrl: undefined, dataDir },
    silentLog,
  )
  try {
    await migrate(connection, silentLog)
    const { db, close } = openDatabase(connection, { max: 5, applicationName: 'bench:lists' })
    const services: AppServices = {
      config: parseConfig({ DATA_DIR: dataDir }),
      db,
      pulse: { feel: async () => 'beats', unlessSilent: (work) => work },
      connection,
      ...storesOf({ layout: 'together' }),
      reportDb: db,
      clock: systemClock,
      log: silentLog,
      secret: Buffer.alloc(32, 'bench'),
      formerSecrets: [],
    }
    try {
      await buildWorld(services)
      await compare(services)
    } finally {
      await close()
    }
  } finally {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(services: AppServices): Promise<void> {
  const token = await signInSuperadmin(services)
  const app = await buildApp(services)
  const asker = { app, token, db: services.db }
  try {
    console.log(`${world.agents} agents, ${world.offices} offices, ${world.sites} sites; median ms`)
    console.log(`\n${line('', 'rows', 'call', 'rows alone', 'ratio')}`)
    const differences = [
      ...(await measureList(asker, agentsEndpoints.searchAgents, agents, agentQuestions)),
      ...(await measureList(asker, officesEndpoints.searchOffices, offices, officeQuestions)),
    ]
    console.log(
      differences.length === 0
        ? '\nAll answers match the naive query.'
        : `\n${differences.length} answers are WRONG.\n\n${differences.join('\n\n')}`,
    )
    if (differences.length > 0) process.exitCode = 1
  } finally {
    await app.close()
  }
}

const line = (name: string, ...cells: string[]) =>
  name.padEnd(34) + cells.map((cell) => cell.padStart(12)).join('')

async function signInSuperadmin({ db, clock, secret }: AppServices): Promise<string> {
  const values = {
    role: roleNumber('superadmin'),
    username: 'superadmin',
    password_hash: 'none',
    created_at: clock.now(),
  }
  await db.insertInto('accounts').values(values).execute()
  const account = accountOf(
    await selectAccounts(db)
      .where('accounts.username', '=', values.username)
      .executeTakeFirstOrThrow(),
  )
  const visit = { ip: '203.0.113.7', userAgent: 'bench:lists', now: clock.now(), secret }
  return inTransaction(db, (tx) => openSession(tx, { account, ...visit }))
}

type Search<SortField, Criterion> = {
  sortField: SortField
  sortAsc: boolean
  page: number
  criteria: Criterion[]
}

type Question<Item, SortField, Criterion> = {
  name: string
  search: Search<SortField, Criterion>
  /** The items that the criteria should find. */
  finds: (item: Item) => boolean
}

type AgentQuestion = Question<
  AgentItem,
  OwnSort<AgentsSearch['sortField']>,
  AgentsSearch['criteria'][number]
>
type OfficeQuestion = Question<
  OfficeItem,
  OwnSort<OfficesSearch['sortField']>,
  OfficesSearch['criteria'][number]
>

const firstAgents = { sortField: 'username', sortAsc: true, page: 1, criteria: [] } as const
const firstOffices = { sortField: 'officeName', sortAsc: true, page: 1, criteria: [] } as const
const all = () => true

const agentQuestions: AgentQuestion[] = [
  { name: 'agents, first page', search: { ...firstAgents, criteria: [] }, finds: all },
  {
    name: 'agents, last page',
    search: { ...firstAgents, criteria: [], page: world.agents / pageSize },
    finds: all,
  },
  {
    name: 'agents, part of a username',
    search: {
      ...firstAgents,
      criteria: [{ field: 'username', operator: 'LIKE', value: '%Ab%' }],
    },
    finds: ({ username }) => username.toLowerCase().includes('ab'),
  },
  {
    name: 'agents, suspended',
    search: { ...firstAgents, criteria: [{ field: 'active', operator: '=', value: false }] },
    finds: ({ active }) => !active,
  },
  {
    name: 'agents, of one office',
    search: { ...firstAgents, criteria: [{ field: 'companyId', operator: '=', value: 77 }] },
    finds: ({ companyId }) => companyId === 77,
  },
  ...byEach(agents).map((sortField): AgentQuestion => ({
    name: `agents, by ${sortField}, descending`,
    search: { ...firstAgents, criteria: [], sortField, sortAsc: false },
    finds: all,
  })),
]

const officeQuestions: OfficeQuestion[] = [
  { name: 'offices, first page', search: { ...firstOffices, criteria: [] }, finds: all },
  {
    name: 'offices, last page',
    search: { ...firstOffices, criteria: [], page: world.offices / pageSize },
    finds: all,
  },
  {
    name: 'offices, part of a username',
    search: { ...firstOffices, criteria: [{ field: 'username', operator: 'LIKE', value: '%e1%' }] },
    finds: ({ username }) => username.includes('e1'),
  },
  ...byEach(offices).map((sortField): OfficeQuestion => ({
    name: `offices, by ${sortField}, descending`,
    search: { ...firstOffices, criteria: [], sortField, sortAsc: false },
    finds: all,
  })),
]

function byEach<Item, SortField extends string>({ keysOf }: Reference<Item, SortField>) {
  return Object.keys(keysOf) as SortField[] // the keys of the record, and no more
}

/** Prints a line for each query and returns wrong answers. */
async function measureList<Item, SortField extends string, Criterion>(
  asker: { app: FastifyInstance; token: string; db: Db },
  endpoint: Endpoint,
  reference: Reference<Item, SortField>,
  questions: readonly Question<Item, SortField, Criterion>[],
): Promise<string[]> {
  const { app, token, db } = asker
  const items = await reference.all(db)
  const differences: string[] = []
  for (const { name, search, finds } of questions) {
    const ask = async () => {
      const answer = await app.inject({
        method: endpoint.method,
        url: endpoint.path,
        headers: { authorization: `Bearer ${token}` },
        payload: { ...search, pageSize },
      })
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
      return answer
    }

    const found = items.filter(finds)
    const expected = pageOf(reference, found, search)
    try {
      const { items: shown, total } = (await ask()).json()
      deepStrictEqual({ shown, total }, { shown: expected, total: found.length })
    } catch (error) {
      differences.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }

    const ids = expected.map(reference.idOf)
    const times = { call: [] as number[], alone: [] as number[] }
    await reference.rowsAlone(db, ids)
    for (let round = 0; round < rounds; round++) {
      times.call.push(await msOf(ask))
      times.alone.push(await msOf(() => reference.rowsAlone(db, ids)))
    }
    const [call, alone] = [median(times.call), median(times.alone)]
    console.log(
      line(
        name,
        String(found.length),
        call.toFixed(1),
        alone.toFixed(1),
        `${(call / alone).toFixed(1)} x`,
      ),
    )
  }
  return differences
}

await main()
