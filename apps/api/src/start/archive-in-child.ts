import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Db } from '../db/database.ts'
import { mayBeDue, type Stores } from '../tracking/index.ts'
import type { Services } from '../services.ts'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../cli.ts')

/**
 * Archives what is due in a child process, because compressing a month would block the event loop.
 * `stopping` kills it, which is safe, because each month is one transaction.
 * @throws with the child's output if it failed.
 */
export async function archiveInChild(
  {
    clickStore,
    clock,
    config,
    connection,
    log,
  }: Pick<Services & Stores, 'clickStore' | 'clock' | 'config' | 'connection' | 'log'>,
  owner: Db,
  stopping: AbortSignal,
): Promise<void> {
  if (!(await mayBeDue({ db: owner, clickStore, clock }, config.archiveAfterMonths))) return
  try {
    const { stdout } = await run(
      process.execPath,
      [...process.execArgv, cli, 'clicks', 'archive-due'],
      {
        env: {
          ...process.env,
          // The app owns the embedded engine: the child neither starts nor stops it.
          DATABASE_URL: connection.url,
          ARCHIVE_DIR: config.archiveDir,
          ARCHIVE_AFTER_MONTHS: String(config.archiveAfterMonths ?? 'off'),
        },
        signal: stopping,
        killSignal: 'SIGKILL',
      },
    )
    for (const month of stdout.split('\n').filter(Boolean)) {
      log.info({ month }, 'archived a month of clicks')
    }
  } catch (error) {
    if (stopping.aborted) return
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw said ? new Error(said, { cause: error }) : error
  }
}
