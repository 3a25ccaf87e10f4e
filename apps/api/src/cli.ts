import { parseArgs } from 'node:util'
import { ConfigError, parseConfig } from './config.ts'
import { DistributeError } from './db/citus/distribute.ts'
import { openDatabase } from './db/database.ts'
import { HalfRestoredError } from './db/migrate.ts'
import { isUnavailable } from './db/transaction.ts'
import { resolveConnection } from './db/resolve-connection.ts'
import { FileError } from './features/agent-migration/index.ts'
import { BackupError } from './features/backup/index.ts'
import { ArchiveError } from './features/click-archive/index.ts'
import { AppError } from './errors.ts'
import { silentLog } from './lib/log.ts'
import type { Command, Owned } from './start/command.ts'
import { commands } from './start/commands.ts'

const { positionals, values } = parseArgs({
  options: { before: { type: 'string' } },
  allowPositionals: true,
  strict: false,
})
const length = positionals[0] !== undefined && positionals[0] in commands ? 1 : 2
const name = positionals.slice(0, length).join(' ')
const words = [
  ...positionals.slice(length),
  ...(typeof values.before === 'string' ? [values.before] : []),
]
const command = commands[name]
if (!command) {
  const usage = Object.entries(commands).map(
    ([known, { says, takes = '' }]) => `  ${`${known} ${takes}`.padEnd(42)}${says}`,
  )
  console.error(['Usage: npm run cli -- <command>', '', ...usage].join('\n'))
  process.exitCode = 64
} else if (!isCalledRightly(command)) {
  console.error(`Usage: npm run cli -- ${name} ${command.takes ?? ''}`.trimEnd())
  process.exitCode = 64
} else {
  process.exitCode = await withDatabase((database) => command.run(database, ...words))
}

function isCalledRightly({ takes }: Command): boolean {
  if (takes === undefined) return words.length === 0
  const needed = takes.split(' ').filter((word) => !/^(\[|--)/.test(word))
  return words.length >= needed.length
}

async function withDatabase(run: (database: Owned) => Promise<number>): Promise<number> {
  try {
    const config = parseConfig(process.env)
    const { connection, stop } = await resolveConnection(config, silentLog)
    const owner = openDatabase(connection, {
      max: 2,
      applicationName: 'tallyroom cli',
      asOwner: true,
    })
    try {
      return await run({ ...owner, connection })
    } finally {
      await owner.close()
      await stop()
    }
  } catch (error) {
    const expected =
      error instanceof ConfigError ||
      error instanceof FileError ||
      error instanceof BackupError ||
      error instanceof ArchiveError ||
      error instanceof DistributeError ||
      error instanceof HalfRestoredError ||
      error instanceof AppError
    const isAway = isUnavailable(error) && error instanceof Error
    if (isAway) console.error(`The database, or a part of it, is not available: ${error.message}`)
    else console.error(expected ? error.message : error)
    return 1
  }
}
