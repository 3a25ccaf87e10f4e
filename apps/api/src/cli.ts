import { parseArgs } from 'node:util'
import { parseConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { resolveConnection } from './db/resolve-connection.ts'
import { silentLog } from './lib/log/log.ts'
import { makeProgress } from './lib/log/make-logger.ts'
import type { Command, Owned } from './start/command.ts'
import { commands } from './start/commands.ts'
import { explain } from './start/explain.ts'
import { findStores } from './start/stores.ts'

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
      return await run({
        ...owner,
        connection,
        progress: await makeProgress(config),
        stores: () => findStores(owner.db),
      })
    } finally {
      await owner.close()
      await stop()
    }
  } catch (error) {
    console.error(explain(error))
    return 1
  }
}
