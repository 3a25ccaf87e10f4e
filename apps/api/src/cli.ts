import { parseArgs } from 'node:util'
import { ConfigError, parseConfig } from './config.ts'
import { openDatabase, type Db } from './db/database.ts'
import { resolveConnection } from './db/resolve-connection.ts'
import { verifyAuditLog } from './features/audit-log/index.ts'
import { rebuildTotals, verifyTotals } from './features/daily-totals/index.ts'
import { silentLog } from './lib/log.ts'

/** A command for the operator: gets a database with the owner's rights and what follows its name, gives the exit code. */
type Command = {
  says: string
  /** What may follow, as the usage shows it. */
  takes?: string
  run: (db: Db, words: readonly string[]) => Promise<number>
}

const commands: Record<string, Command> = {
  'totals verify': {
    says: 'compares every total with the events it sums; exit code 1 and the differences if any',
    run: verify,
  },
  'totals rebuild': {
    says: 'makes all totals anew from the events; the app may go on meanwhile',
    run: rebuild,
  },
  'audit verify': {
    says: 'follows the chain of the common logs and names the first broken entry; exit code 1 if there is one',
    takes: '[ENTRY:HASH]',
    run: verifyAudit,
  },
}

const { positionals } = parseArgs({ allowPositionals: true, strict: false })
const command = commands[positionals.slice(0, 2).join(' ')]
const words = positionals.slice(2)
if (command && (words.length === 0 || command.takes !== undefined)) {
  process.exitCode = await withDatabase((db) => command.run(db, words))
} else {
  const usage = Object.entries(commands).map(
    ([name, { says, takes = '' }]) => `  ${`${name} ${takes}`.padEnd(28)}${says}`,
  )
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

async function verifyAudit(db: Db, [noted]: readonly string[]): Promise<number> {
  const known = noted === undefined ? undefined : readNoted(noted)
  if (noted !== undefined && !known) {
    console.error('ENTRY:HASH is what an earlier verification printed, such as 1200:9f86d081…')
    return 64
  }
  const finding = await verifyAuditLog(db, known && { known })
  if (finding.broken !== undefined) {
    console.log(`${finding.broken} What comes after it is not verified.`)
    return 1
  }
  const { entries, hash } = finding
  console.log(`The chain of ${entries} entries is whole.`)
  if (entries > 0)
    console.log(`Keep this elsewhere, to verify later that they are the same: ${entries}:${hash}`)
  return 0
}

function readNoted(text: string): { id: number; hash: string } | undefined {
  const [, id, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/i.exec(text) ?? []
  return id === undefined || hash === undefined
    ? undefined
    : { id: Number(id), hash: hash.toLowerCase() }
}

async function withDatabase(run: (db: Db) => Promise<number>): Promise<number> {
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
