import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { News, paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { todayNewYork } from '@tallyroom/domain/new-york'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { nowOf } from '../../db/transaction.ts'
import { conflict, forbidden } from '../../errors.ts'
import { findApprovers } from '../runs/approvers.ts'
import { makeFiles, type MadeFile } from '../runs/approved-files.ts'
import type { RunServices } from './change-run.ts'
import { findNews } from '../runs/news.ts'
import { cellsOf, columnsOf, edgeCellsOf } from '../files/file-values.ts'
import type { LineRow } from '../runs/payment-runs.queries.ts'
import { findRefused, type RefusedLine } from '../runs/refused-lines.ts'
import { getRun, linesToPay, problemsOf, type Run, sumOf, transfersOf } from '../runs/run.ts'

type Calls = typeof paymentRunsEndpoints
/** What an approver has looked at. */
export type Seen = RequestOf<Calls['approvePaymentRun']>['body']

/** What approving a prepared run now would pay, and by which files. */
export type Review = {
  lines: LineRow[]
  refused: RefusedLine[]
  files: MadeFile[]
  news: News[]
  /** Why the files can't be made; then there are none. */
  problems: string[]
  /** Whether an account can't be decrypted, so that the files lack lines. */
  isIncomplete: boolean
}

export async function reviewOf(
  services: Omit<RunServices, 'db'>,
  db: DbOrTx,
  run: Run,
  approver: Viewer | undefined,
): Promise<Review> {
  const now = nowOf(db)
  const refused = await findRefused(db, run, todayNewYork(now))
  const gone = new Set(refused.map(({ line }) => line.id))
  const lines = linesToPay(run).filter(({ id }) => !gone.has(id))
  const references = new Set(lines.map(({ reference }) => reference))
  const { transfers } = await transfersOf(services, db, run)
  const paid = transfers.filter(({ reference }) => references.has(reference))
  const problems = problemsOf(run, paid)
  return {
    lines,
    refused,
    problems,
    files: problems.length > 0 ? [] : makeFiles(run, paid),
    news: await findNews(db, now, run, lines, approver),
    isIncomplete: paid.length < lines.length,
  }
}

/**
 * The files of a prepared run as approving would make them, with whole account numbers, for somebody who may approve it.
 *
 * @throws NOT_FOUND; CONFLICT unless the run waits for approval; FORBIDDEN to others.
 */
export async function showFiles(
  services: RunServices,
  viewer: Viewer,
  id: number,
): Promise<AnswerOf<Calls['reviewPaymentRun']>> {
  refuseSignedInAs(viewer)
  const run = await getRun(services.db, id)
  await refuseApprover(services.db, viewer, run)
  const { lines, files } = await reviewOf(services, services.db, run, viewer)
  return {
    amount: sumOf(lines),
    files: files.map((file) => ({
      name: file.name,
      channel: file.channel,
      amount: sumOf(file.transfers),
      sha256: file.sha256.toString('hex'),
      firstLine: edgeOf(run.layout, file, 'firstLine'),
      lastLine: edgeOf(run.layout, file, 'lastLine'),
      headings: columnsOf(run.layout).map(({ header, field }) => header || field),
      lines: file.transfers.map((transfer) => trimmed(cellsOf(run.layout, transfer))),
    })),
  }
}

const edgeOf = (layout: Run['layout'], file: MadeFile, edge: 'firstLine' | 'lastLine'): string[] =>
  layout.format === 'pain.001' ? [] : trimmed(edgeCellsOf(layout, file, layout[edge]))

/** Without the spaces that fill columns of fixed width. Zeros that fill them are part of what the bank reads. */
const trimmed = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim())

/** @throws CONFLICT unless the run waits for approval; FORBIDDEN with the reason to whoever can't approve it. */
export async function refuseApprover(db: DbOrTx, viewer: Viewer, run: Run): Promise<void> {
  if (run.state !== 'prepared') throw conflict(`This run is ${run.state}.`)
  const approvers = await findApprovers(db, nowOf(db), run)
  const approver = approvers.find((one) => one.id === viewer.accountId)
  if (!approver) throw forbidden()
  const { whyNot } = approver
  if (whyNot) throw forbidden(`You ${whyNot}. Somebody else must approve it.`)
}

/** How many news a refusal names. */
const NAMED = 3

/** @throws CONFLICT unless the approver has seen exactly what would be paid now, and what is new about it. */
export function refuseUnseen({ lines, files, news }: Review, seen: Seen): void {
  const ticked = new Set(seen.ticked)
  const unseen = news.filter(({ key }) => !ticked.has(key))
  if (unseen.length > 0) {
    const named = unseen
      .slice(0, NAMED)
      .map(({ payee, title }) => (payee === null ? title : `${payee}: ${title}`))
    const more = unseen.length > NAMED ? `, and ${unseen.length - NAMED} more` : ''
    throw conflict(
      `Not ticked, or new since you opened this run: ${named.join('; ')}${more}. Look at it before you approve.`,
    )
  }
  const seenFiles = new Map(seen.files.map(({ name, sha256 }) => [name, sha256]))
  const isSame =
    sumOf(lines) === seen.amount &&
    ticked.size === news.length &&
    seenFiles.size === files.length &&
    files.every(({ name, sha256 }) => seenFiles.get(name) === sha256.toString('hex'))
  if (!isSame) {
    throw conflict(
      'The run has changed since you looked at its files. Look at them again before you approve it.',
    )
  }
}

/** What somebody without a session has seen who looks at everything now, such as who stands in for people in the demo world. */
export async function seenNow(services: RunServices, id: number): Promise<Seen> {
  const run = await getRun(services.db, id)
  const { lines, files, news } = await reviewOf(services, services.db, run, undefined)
  return {
    amount: sumOf(lines),
    files: files.map(({ name, sha256 }) => ({ name, sha256: sha256.toString('hex') })),
    ticked: news.map(({ key }) => key),
  }
}
