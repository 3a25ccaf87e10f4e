import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type Connection, toDatabase } from '../../src/db/connection.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { silentLog } from '../../src/lib/log/log.ts'
import { rebuildTotals } from '../../src/totals/index.ts'
import { buildAgent, buildClick, buildLinkType, buildOffice, buildSite } from '../build-world.ts'
import { until } from '../until.ts'
import { clusterSettings, isCitusInstalled } from './citus-cluster.ts'
import { makeDataDir } from './fault-world.ts'
import { form } from './form.ts'
import { between, clusterChapter, sqlAfter } from './operators-manual.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

const project = join(import.meta.dirname, '../../../..')

/** The commands of our program in a part of the chapter, in their order. */
const commandsIn = (part: string): string[] =>
  [...part.matchAll(/`npm run cli -- ([^`]+)`/g)].map(([, command = '']) => command)

/** Runs where Debian's PostgreSQL has Citus. */
describe.runIf(await isCitusInstalled())('an operator with the manual', () => {
  test(
    'moves a database to a cluster and adds a worker, with every command as it is printed',
    async () => {
      const home = await makeDataDir('walk')
      const machines: PostgresServer[] = []
      afterAll(async () => {
        for (const machine of machines) await machine.kill()
        await home.remove()
      })
      for (const name of ['coordinator', 'worker-1', 'worker-2', 'worker-3']) {
        await mkdir(join(home.path, name))
        machines.push(await startMachine(join(home.path, name)))
      }
      const [coordinator, one, two, three] = machines as [
        PostgresServer,
        PostgresServer,
        PostgresServer,
        PostgresServer,
      ]
      const names: Record<string, PostgresServer> = {
        'worker-1': one,
        'worker-2': two,
        'worker-3': three,
      }
      /** With the addresses of these machines. */
      const here = (statements: string): string =>
        statements
          .replaceAll('coordinator.internal', '127.0.0.1')
          .replaceAll(/'(worker-\d)\.internal', 5432/g, (_, name: string) => {
            const { port } = new URL(names[name]?.connection.url ?? '')
            return `'127.0.0.1', ${port}`
          })
      const run = async (machine: PostgresServer, statements: string) => {
        let session = await connect(machine.connection)
        const results = []
        for (const line of here(statements)
          .replaceAll(/--.*$/gm, '')
          .split(/;\s*|\n(?=\\)/)) {
          const [, database] = /^\s*\\c (\w+)/.exec(line) ?? []
          const statement = line.replace(/^\s*\\c \w+/, '').trim()
          if (database !== undefined) {
            await session.end()
            session = await connect(toDatabase(machine.connection, database))
          }
          if (statement !== '')
            results.push((await session.query<Record<string, unknown>>(statement)).rows)
        }
        await session.end()
        return results
      }
      const inDatabase = (statements: string) => run(coordinator, `\\c tallyroom\n${statements}`)
      const [everywhere = '', onCoordinator = ''] = sqlAfter(
        'An administrator prepares it once',
      ).split('-- on the coordinator, in that database')

      // The database of before is on a machine that has no part in the cluster yet.
      await run(three, 'create database former')
      const former = toDatabase(three.connection, 'former')
      await migrate(former, silentLog)
      await fill(former)

      for (const machine of [coordinator, one, two]) await run(machine, everywhere)
      await inDatabase(onCoordinator)
      const url = new URL(toDatabase(coordinator.connection, 'tallyroom').url)
      url.username = 'tallyroom'
      url.password = '…'
      const cli = async (command: string, databaseUrl: string) => {
        const args = command.replace('FILE', join(home.path, 'all.backup')).split(' ')
        const child = spawn(process.execPath, [join(project, 'apps/api/src/cli.ts'), ...args], {
          env: { ...process.env, DATA_DIR: join(home.path, 'app'), DATABASE_URL: databaseUrl },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const said = Promise.all([text(child.stdout), text(child.stderr)])
        const code = await new Promise((resolve) => child.once('close', resolve))
        return { code, said: (await said).join('') }
      }
      const move = between(clusterChapter, '**To move an existing database**', '\n**')
      const [backUp = '', ...others] = commandsIn(move)
      expect(await cli(backUp, former.url)).toMatchObject({ code: 0 })
      expect(others).toEqual([
        'restore FILE',
        'db distribute',
        'totals verify',
        'audit verify',
        'pay verify',
      ])
      for (const command of others) expect(await cli(command, url.href)).toMatchObject({ code: 0 })
      expect(await cli('db distribute', url.href)).toMatchObject({
        code: 0,
        said: expect.stringContaining('Every table is in its place.') as string,
      })

      await run(three, everywhere)
      await inDatabase(sqlAfter('**To add a worker**'))
      await until(async () => {
        const [[status] = []] = await inDatabase('select state from citus_rebalance_status()')
        return status?.['state'] === 'finished'
      }, form.timeoutMs)
      const [shards] = await inDatabase(
        `select count(*)::int as shards from citus_shards
         where nodeport = ${new URL(three.connection.url).port} and citus_table_type = 'distributed'`,
      )
      expect(shards?.[0]?.['shards']).toBeGreaterThan(0)
      expect(await cli('totals verify', url.href)).toMatchObject({ code: 0 })
    },
    form.timeoutMs * 4,
  )
})

/** Its administrator is not called like our role, which the manual creates. */
async function startMachine(dataDir: string): Promise<PostgresServer> {
  const machine = await startPostgres(dataDir, clusterSettings)
  const url = new URL(machine.connection.url)
  const former = decodeURIComponent(url.username)
  const execute = async (statement: string) => {
    const session = await connect({ kind: 'server', url: url.href })
    await session.query(statement)
    await session.end()
  }
  await execute('create role administrator superuser login')
  url.username = 'administrator'
  await execute(`alter role ${former} rename to bootstrap`)
  return { ...machine, connection: { kind: 'server', url: url.href } }
}

async function connect({ url }: Connection): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  return session
}

/** Some clicks of some agents. */
async function fill(connection: Connection): Promise<void> {
  const { db, close } = openDatabase(connection, { max: 2, applicationName: 'walk', asOwner: true })
  const office_id = await buildOffice(db)
  const site_id = await buildSite(db)
  const type_id = await buildLinkType(db, { site_id })
  for (let agent = 0; agent < 10; agent++) {
    const agent_id = await buildAgent(db, { office_id })
    await buildClick(db, { agent_id, office_id, site_id, type_id })
  }
  await rebuildTotals(db)
  await sql`analyze`.execute(db)
  await close()
}
