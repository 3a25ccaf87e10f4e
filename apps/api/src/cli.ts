import { parseArgs } from 'node:util'
import { ConfigError, parseConfig } from './config.ts'
import { openDatabase, type Db } from './db/database.ts'
import { resolveConnection } from './db/resolve-connection.ts'
import { rebuildTotals, verifyTotals } from './features/daily-totals/index.ts'
import { silentLog } from './lib/log.ts'

/** A command for the operator: gets a database with the owner's rights, gives the exit code. */
type Command = { says: string; run: (db: Db) => Promise<number> }

const commands: Record<string, Command> = {
  'totals verify': {
    says: 'compares every total with the events it sums; exit code 1 and the differences if any',
    run: verify,
  },
  'totals rebuild': {
    says: 'makes all totals anew from the events; the app may go on meanwhile',
    run: rebuild,
  },
}

const { positionals } = parseArgs({ allowPositionals: true, strict: false })
const command = commands[positionals.join(' ')]
if (command) {
  process.exitCode = await withDatabase(command.run)
} else {
  const usage = Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(18)}${says}`)
  console.error(['Usage: npm run cli -- <command>', '', ...usage].join('\n'))
  process.exitCode = 64
}

async function verify(db: Db): Promise<number> {
  const differences = await verifyTotals(db)
  for (const { level, row, expected, actual } of differences) {
    console.log(`${level} ${row}: the events give ${expected}, the totals have ${actual}`)
  }
  console.log(differences.length === 0 ? 'All totals agree with the events.' : 'The totals differ.')
  return differences.length === 0 ? 0 : 1
}

async function rebuild(db: Db): Promise<number> {
  await rebuildTotals(db)
  console.log('All totals were made anew.')
  return 0
}

async function withDatabase(run: Command['run']): Promise<number> {
  try {
    const config = parseConfig(process.env)
    const { connection, stop } = await resolveConnection(config, silentLog)
    const owner = openDatabase(connection, {
      max: 2,
      applicationName: 'tallyroom cli',
      asOwner: true,
    })
    try {
      return await run(owner.db)
    } finally {
      await owner.close()
      await stop()
    }
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    return 1
  }
}
