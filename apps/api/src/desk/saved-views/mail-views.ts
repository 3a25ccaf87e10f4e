import type { SavedView } from '@tallyroom/contract/desk/saved-views'
import { brandOf } from '@tallyroom/domain/brands/index'
import { formatCount, signedDollars, formatPercent, signedPesos } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { lastMailTime, type MailSchedule, nextMailTime } from '@tallyroom/domain/saved-views'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { Mail } from '../../lib/mailer.ts'
import type { Services } from '../../services.ts'
import { readTotals, TooManyClicks } from '../../totals/index.ts'
import { findReader, getHolder, postMail } from '../../people/index.ts'
import type { Cell, Sheet } from '../../http/sheets/sheet.ts'
import { csvFile } from '../../http/sheets/csv-file.ts'
import { fileNameOf } from '../../http/sheets/export-file.ts'
import { officePerformanceSheet, top10Sheet } from '../exports/board-sheets.ts'
import { statsSheet } from '../exports/stats-sheet.ts'
import { reachOf } from '../../figures/index.ts'
import {
  findDueViews,
  leaseDueView,
  type LeasedView,
  updateLeased,
  updateView,
  type ViewRow,
} from './saved-views.queries.ts'
import { scheduleOf } from './saved-views.ts'
import { reportFor, type ViewReport } from './view-report.ts'

type MailServices = Pick<Services, 'config' | 'db' | 'reportDb' | 'clock' | 'log' | 'secret'>

/** How long a process has to make a mail. After that, or if it fails, any process tries again. */
const LEASE_MS = 15 * 60_000

/** Maximum rows of an attachment: about 2 MB. Of a longer table, the mail has the totals and a link. */
const MAX_ROWS = 20_000

/**
 * Makes every mail that is due, and posts each in the transaction that sets the next due time, so that there is one for each.
 * After an outage, only the latest due time is made up for.
 */
export async function mailDueViews(services: MailServices): Promise<void> {
  const { db, clock, log } = services
  for (;;) {
    const now = clock.now()
    const view = await leaseDueView(db, { now, until: new Date(now.getTime() + LEASE_MS) })
    if (!view) return
    try {
      await mailView(services, view)
    } catch (error) {
      log.error({ err: error, view: view.id }, 'a view was not mailed')
    }
  }
}

async function mailView(services: MailServices, view: LeasedView): Promise<void> {
  const { db, clock } = services
  const schedule = scheduleOf(view.mail)
  if (!schedule) throw new Error(`view ${view.id} is due without a schedule`) // saved_views__mail prevents it
  const next = nextMailTime(schedule, clock.now())
  const mail = await composeMail(services, view, schedule)
  if (typeof mail === 'string') {
    await updateLeased(db, view, { mail_due_at: next, mail_refusal: mail })
    return
  }
  await inTransaction(db, async (tx) => {
    const done = { mail_due_at: next, mailed_at: tx.now, mail_refusal: null }
    // Not if the holder has stopped the mails meanwhile. The next one replaces what is not sent by then.
    if (await updateLeased(tx, view, done)) {
      await postMail(tx, services, { ...mail, accountId: view.account_id }, next)
    }
  })
}

/** Leaves out what is due: each view's next mail comes at its next due time. */
export async function skipDueViews(tx: Tx, now: Date): Promise<void> {
  for (const { id, mail } of await findDueViews(tx, now)) {
    const schedule = scheduleOf(mail)
    if (schedule) await updateView(tx, id, { mail_due_at: nextMailTime(schedule, now) })
  }
}

type Refusal = NonNullable<SavedView['mailRefusal']>

/** The mail with the figures that its reader may see now. */
async function composeMail(
  services: MailServices,
  view: ViewRow,
  schedule: MailSchedule,
): Promise<Mail | Refusal> {
  const { db, clock, config } = services
  const reader = await findReader(db, view.account_id, clock.now())
  if (!reader) return 'no access'
  const viewer: Viewer = { ...reader, sessionId: '', signedInBy: undefined }
  const { email } = await getHolder(db, view.account_id)
  if (!email) return 'no address'
  const due = lastMailTime(schedule, clock.now())
  const report = reportFor(view, viewer, dayOf(due))
  if (typeof report === 'string') return report
  const content = await readReport(services, viewer, report)
  if (typeof content === 'string') return content
  const brand = brandOf(config.brand).name
  return {
    to: email,
    subject: `${brand}: ${view.name}`,
    text: `${view.name}

${content.text}

Open it: ${config.publicUrl}${report.url}

You get this mail ${SCHEDULE_WORDS[schedule]} because you asked for it. Change or stop it:
${config.publicUrl}/app/views?id=${view.id}

${brand}
`,
    attachments: content.attachments,
  }
}

const SCHEDULE_WORDS: Record<MailSchedule, string> = {
  daily: 'every day',
  mondays: 'every Monday',
  'half-months': 'on the 1st and the 16th',
}

type Content = { text: string; attachments: NonNullable<Mail['attachments']> }

/**
 * The figures as text and the rows as a file, or why there are none: the report no longer exists, for example because its site
 * was deleted, or has more clicks than are read by sub id.
 */
async function readReport(
  services: MailServices,
  viewer: Viewer,
  report: ViewReport,
): Promise<Content | Refusal> {
  if (report.name === 'topAgents') {
    return boardContent(await top10Sheet(services, viewer, report.criteria))
  }
  if (report.name === 'performance') {
    return boardContent(await officePerformanceSheet(services, viewer, report.criteria))
  }
  const { name, criteria } = report
  const { sortField: _, sortAsc: __, ...unsorted } = criteria
  // The sort column may no longer exist.
  for (const asked of [criteria, unsorted]) {
    try {
      return await readTotals(
        services,
        async (tx, today) => {
          const now = tx.now
          const sheet = await statsSheet(tx, viewer, name, asked, { today, now })
          return contentOf(sheet, await sheet.countRows())
        },
        reachOf(viewer, name, asked),
      )
    } catch (error) {
      if (error instanceof TooManyClicks) return 'too many clicks'
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error
    }
  }
  return 'not a report'
}

/** A board is short, so the mail's text contains its rows if it has no totals. */
async function boardContent(sheet: Sheet): Promise<Content> {
  const rows: Cell[][] = []
  for await (const part of sheet.rows) rows.push(...part)
  return contentOf({ ...sheet, rows: [rows] }, rows.length, rowsText(sheet, rows))
}

async function contentOf(
  sheet: Sheet,
  rows: number,
  figures = totalsText(sheet),
): Promise<Content> {
  const filename = `${fileNameOf(sheet)}.csv`
  const [, criteria = ''] = sheet.facts.find(([label]) => label === 'Criteria') ?? []
  const head = `${sheet.title}\n${criteria}\n\n`
  if (rows === 0) return { text: `${head}No statistics for this period.`, attachments: [] }
  const counted = `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
  const isLong = rows > MAX_ROWS
  const parts: string[] = []
  if (!isLong) for await (const part of csvFile(sheet)) parts.push(part)
  return {
    text: `${head}${figures}\n\n${
      isLong
        ? `The table has ${counted}, too many to attach. Open the report to export it.`
        : `The table is attached: ${counted}.`
    }`,
    attachments: isLong
      ? []
      : [
          {
            filename,
            contentType: 'text/csv; charset=utf-8',
            content: Buffer.from(parts.join('')),
          },
        ],
  }
}

/** The totals, one per line. */
const totalsText = ({ columns, totals = [] }: Sheet): string =>
  aligned(
    columns.flatMap(({ header, kind }, index) => {
      const total = totals[index]
      return typeof total === 'number'
        ? [[header.replace(/ [₱$]$/, ''), amountText(total, header, kind)] as const]
        : []
    }),
  )

/** The totals of a board, or its rows if it has none: names on the left, the last figure on the right. */
function rowsText(sheet: Sheet, rows: readonly Cell[][]): string {
  if (sheet.totals) return totalsText(sheet)
  return aligned(
    rows.map((row) => [
      row
        .slice(0, -1)
        .filter((cell) => cell !== undefined && cell !== '')
        .join('  '),
      String(row.at(-1) ?? ''),
    ]),
  )
}

/** Lines with two columns. */
function aligned(lines: readonly (readonly [label: string, amount: string])[]): string {
  const widths = [0, 1].map((side) => Math.max(0, ...lines.map((line) => line[side]?.length ?? 0)))
  return lines
    .map(([label, amount]) => `  ${label.padEnd(widths[0]!)}  ${amount.padStart(widths[1]!)}`)
    .join('\n')
}

function amountText(total: number, header: string, kind: string): string {
  if (kind === 'percent') return formatPercent(total)
  if (kind !== 'money') return formatCount(total)
  return header.endsWith('$') ? signedDollars(total) : signedPesos(total)
}
