import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { csvText } from '@tallyroom/domain/csv'
import { parseConfig } from '../config.ts'
import { FileError, importAgents } from '../people/index.ts'
import { dayOf } from '@tallyroom/domain/new-york'
import { holdWhatWaits, verifyAuditLog } from '../desk/index.ts'
import { backup, restore, cutAddresses, VISITORS_SEEN } from '../operate/index.ts'
import { EXPORT_COLUMNS, exportPeriod, verifyPay } from '../pay/index.ts'
import { rebuildTotals, verifyTotals } from '../totals/index.ts'
import { systemClock } from '../lib/clock.ts'
import { rotateSecret } from '../lib/secrets.ts'
import { accountCommands } from './account-commands.ts'
import { archiveCommands, keptInArchives, notInBackup } from './archive-commands.ts'
import { awaitsDistribution } from '../db/citus/distribute.ts'
import { databaseCommands } from './stores.ts'
import type { Command, Owned } from './command.ts'

export const commands: Record<string, Command> = {
  'totals verify': {
    says: 'compares every total with the events; prints differences and exits with 1',
    run: verify,
  },
  'totals rebuild': {
    says: 'recalculates all totals from the events; the app may keep running',
    run: rebuild,
  },
  'audit verify': {
    says: 'verifies the hash chain of the common logs; prints the first broken entry and exits with 1',
    takes: '[ENTRY:HASH]',
    run: verifyAudit,
  },
  'pay verify': {
    says: 'recomputes every pay statement, and compares what people decided with its seals; prints differences and exits with 1',
    takes: '[SEAL:HASH]',
    run: verifyStatements,
  },
  'pay export': {
    says: 'prints all entries of a closed pay period as CSV, amounts in minor units',
    takes: 'PERIOD',
    run: exportPay,
  },
  'migration import': {
    says: 'imports agents of an old server from a CSV or JSON file; exits with 1 if lines were skipped',
    takes: 'FILE',
    run: importFile,
  },
  ...accountCommands,
  'privacy cut-addresses': {
    says: 'cuts addresses older than MONTHS to their network; the app may keep running',
    takes: 'MONTHS [dry-run]',
    run: cutOldAddresses,
  },
  backup: {
    says: 'writes a snapshot of the database to one file; the app may keep running',
    takes: 'FILE',
    run: backUp,
  },
  restore: {
    says: 'restores such a file to an empty database',
    takes: 'FILE',
    run: restoreFile,
  },
  'queue hold': {
    says: 'holds the mails and deliveries that wait until somebody decides; for a database restored by other tools',
    run: holdQueue,
  },
  ...archiveCommands,
  ...databaseCommands,
  'keys rotate': {
    says: 'adds a new key to the secret key file; the app uses it after a restart',
    run: rotateKeys,
  },
}

async function verify({ db, progress }: Owned): Promise<number> {
  const differences = await progress.step('Comparing totals with events', (reach) =>
    verifyTotals(db, { reach }),
  )
  for (const { level, row, expected, actual } of differences) {
    console.log(`${level} ${row}: the events give ${expected}, the totals have ${actual}`)
  }
  console.log(differences.length === 0 ? 'All totals match the events.' : 'The totals differ.')
  return differences.length === 0 ? 0 : 1
}

async function rebuild({ db, progress }: Owned): Promise<number> {
  await progress.step('Recalculating totals', (reach) => rebuildTotals(db, reach))
  console.log('All totals were recalculated.')
  return 0
}

async function verifyStatements({ db, progress }: Owned, noted?: string): Promise<number> {
  const known = noted === undefined ? undefined : readNoted(noted)
  if (noted !== undefined && !known) {
    console.error('SEAL:HASH must be the output of an earlier verification, such as 1200:9f86d081…')
    return 64
  }
  const { findings, periods, statements, late, seals } = await progress.step(
    'Recomputing pay',
    (reach) =>
      verifyPay(db, { reach, ...(known && { known: { number: known.id, hash: known.hash } }) }),
  )
  for (const finding of findings) console.log(finding)
  if (late > 0) console.log(`${late} late events will go on the next statements.`)
  console.log(
    findings.length === 0
      ? `All ${statements} statements of ${periods} closed periods match what was booked.`
      : 'Pay has differences.',
  )
  const found = seals.begun.filter((one) => one.found > 0)
  for (const { table, at, found: rows } of found)
    console.log(`Sealed as found on ${dayOf(at)}: ${rows} rows of ${table}.`)
  if (seals.seals > 0)
    console.log(
      `Store this on another machine, to verify these seals later: ${seals.seals}:${seals.hash}`,
    )
  return findings.length === 0 ? 0 : 1
}

async function exportPay({ db }: Owned, period = ''): Promise<number> {
  const rows = await exportPeriod(db, period)
  const lines = rows.map((row) => EXPORT_COLUMNS.map((column) => row[column]))
  process.stdout.write(csvText([EXPORT_COLUMNS, ...lines]))
  return 0
}

async function verifyAudit({ db, progress }: Owned, noted?: string): Promise<number> {
  const known = noted === undefined ? undefined : readNoted(noted)
  if (noted !== undefined && !known) {
    console.error(
      'ENTRY:HASH must be the output of an earlier verification, such as 1200:9f86d081…',
    )
    return 64
  }
  const finding = await progress.step('Verifying the chain of entries', (reach) =>
    verifyAuditLog(db, { reach, ...(known && { known }) }),
  )
  if (finding.broken !== undefined) {
    console.log(`${finding.broken} Later entries were not verified.`)
    return 1
  }
  const { entries, hash } = finding
  console.log(`The chain of ${entries} entries is intact.`)
  if (entries > 0)
    console.log(`Store this on another machine, to verify these entries later: ${entries}:${hash}`)
  return 0
}

function readNoted(text: string): { id: number; hash: string } | undefined {
  const [, id, hash] = /^([1-9]\d{0,14}):([\da-f]{64})$/i.exec(text) ?? []
  return id === undefined || hash === undefined
    ? undefined
    : { id: Number(id), hash: hash.toLowerCase() }
}

async function importFile({ db }: Owned, file: string): Promise<number> {
  const path = pathOf(file)
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new FileError(`${path} cannot be read.`, { cause })
  })
  const { ready, bad, ignored, encoding } = await importAgents({ db, clock: systemClock }, bytes)
  if (encoding !== 'UTF-8')
    console.log(`The file was read as ${encoding}. Check the names before you migrate.`)
  for (const { line, problem } of bad) console.log(`line ${line}: ${problem}`)
  if (ignored.length > 0) console.log(`Ignored columns: ${ignored.join(', ')}`)
  console.log(`Ready to migrate: ${ready}. Skipped: ${bad.length}.`)
  return bad.length === 0 ? 0 : 1
}

async function cutOldAddresses(
  { db, progress }: Owned,
  months: string,
  mode?: string,
): Promise<number> {
  if (!/^[1-9]\d{0,2}$/.test(months) || (mode !== undefined && mode !== 'dry-run')) {
    console.error('MONTHS must be a number from 1 to 999. Add dry-run to only count.')
    return 64
  }
  const isTry = mode === 'dry-run'
  const counts = await progress.step('Cutting addresses', () =>
    cutAddresses({ db, clock: systemClock }, { months: Number(months), isTry }),
  )
  for (const { name, count } of counts) {
    const verb = name === VISITORS_SEEN ? 'removed' : 'cut'
    console.log(`${name}: ${count} ${isTry ? `would be ${verb}` : verb}`)
  }
  console.log(
    'The common logs keep their addresses, because changing an entry would break the hash chain.',
  )
  for (const line of await keptInArchives(db)) console.log(line)
  return 0
}

async function holdQueue({ db }: Owned): Promise<number> {
  await holdWhatWaits(db, systemClock.now())
  console.log('What waits is on hold. Send or drop it under Settings → Queue.')
  return 0
}

async function backUp(database: Owned, file: string): Promise<number> {
  const path = pathOf(file)
  const { rows, bytes } = await database.progress.step('Writing the backup', (reach) =>
    backup({ ...database, clock: systemClock }, path, reach),
  )
  console.log(
    [
      `${path} contains ${rows} rows in ${(bytes / 1_000_000).toFixed(1)} MB and is readable only by you.`,
      'It does not include the secret key file: back that up separately.',
      ...(await notInBackup(database)),
    ].join('\n'),
  )
  return 0
}

async function restoreFile(database: Owned, file: string): Promise<number> {
  const found = { ...database, ...(await database.stores()), clock: systemClock }
  const { head, rows } = await database.progress.step('Restoring', (reach) =>
    restore(found, pathOf(file), reach),
  )
  console.log(`Restored ${rows} rows as of ${head.takenAt}.`)
  if (await awaitsDistribution(database.db))
    console.log('They are on the coordinator. Now run: npm run cli -- db distribute')
  return 0
}

/** npm runs scripts in the project's folder, wherever it was called from. */
function pathOf(file: string): string {
  return resolve(process.env['INIT_CWD'] ?? '.', file)
}

async function rotateKeys(): Promise<number> {
  const { secretKeyFile } = parseConfig(process.env)
  await rotateSecret(secretKeyFile)
  console.log(
    [
      `A new key is the first line of ${secretKeyFile}. Restart every process of the app: what it has`,
      'encrypted is then encrypted with the new key, and everybody has to sign in again. Keep the older lines: they',
      'verify the click ids of links that were followed before.',
    ].join('\n'),
  )
  return 0
}
