import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import {
  type ListedPayFileTemplate,
  type PayFileLayout,
  payFileLayoutSchema,
  type PayFileTemplate,
  type payFilesEndpoints,
  type ResultColumns,
} from '@tallyroom/contract/pay/files/files'
import type { Currency } from '@tallyroom/domain/pay'
import type { Selectable } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { refuseSignedInAs, type Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { DB } from '../../db/types.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { changeSealed, insertSealed } from '../../seals/index.ts'
import { refuseStale } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { findBank } from '../terms/bank.ts'
import { findLastRuns, lockState } from './payment-runs.queries.ts'
import { bytesOf } from '../files/file-bytes.ts'
import type { PayFile } from '../files/file-values.ts'
import { filesOf, problemOfLayout, sampleTransfers } from '../files/pay-file.ts'

type Calls = typeof payFilesEndpoints

/** How many lines a preview has for each channel. */
const PREVIEW_LINES = 5

export async function listTemplates(db: DbOrTx): Promise<ListedPayFileTemplate[]> {
  const templates = await db.selectFrom('pay_file_templates').selectAll().orderBy('name').execute()
  const users = await findLastRuns(db)
  return templates.map((row) => ({ ...templateOf(row), usedBy: users.get(row.id) ?? null }))
}

/** The templates among these ids. */
export async function findTemplates(
  db: DbOrTx,
  ids: readonly number[],
): Promise<PayFileTemplate[]> {
  const rows = await db
    .selectFrom('pay_file_templates')
    .selectAll()
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute()
  return rows.map(templateOf)
}

/** The template of the last run in a currency, or the first by name. Undefined if there is none. */
export async function findUsualTemplate(
  db: DbOrTx,
  currency: Currency,
): Promise<PayFileTemplate | undefined> {
  const last = await db
    .selectFrom('payment_runs')
    .innerJoin('pay_file_templates as template', 'template.id', 'template_id')
    .select('template.id')
    .where('currency', '=', currency)
    .orderBy('payment_runs.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last) return getTemplate(db, last.id)
  const [first] = await listTemplates(db)
  return first
}

/** @throws NOT_FOUND */
export const getTemplate = async (db: DbOrTx, id: number): Promise<PayFileTemplate> =>
  foundTemplate(await selectTemplate(db, id).executeTakeFirst())

const lockTemplate = async (tx: Tx, id: number): Promise<PayFileTemplate> =>
  foundTemplate(await selectTemplate(tx, id).forNoKeyUpdate().executeTakeFirst())

const selectTemplate = (db: DbOrTx, id: number) =>
  db.selectFrom('pay_file_templates').selectAll().where('id', '=', id)

/** A name that is in use violates `pay_file_templates__name`. */
export async function createTemplate(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  { name, layout }: RequestOf<Calls['createPayFileTemplate']>['body'],
): Promise<number> {
  refuseSignedInAs(viewer)
  refuseUnwritable(layout)
  return inTransaction(db, async (tx) => {
    const id = await insertSealed(tx, 'pay_file_templates', {
      name,
      layout: JSON.stringify(layout),
    })
    await noteChange(tx, viewer, id)
    return id
  })
}

/** @throws NOT_FOUND; CONFLICT if it has changed since the form was loaded. */
export async function updateTemplate(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
  { name, layout, version }: RequestOf<Calls['updatePayFileTemplate']>['body'],
): Promise<void> {
  refuseSignedInAs(viewer)
  if (layout) refuseUnwritable(layout)
  await inTransaction(db, async (tx) => {
    const present = await lockTemplate(tx, id)
    refuseStale('template', present.version, version)
    await save(tx, { ...present, name: name ?? present.name, layout: layout ?? present.layout })
    if (layout) await noteChange(tx, viewer, id)
  })
}

/** Whoever decides how files look doesn't approve the runs that they are made for. */
async function noteChange(tx: Tx, { accountId }: Viewer, templateId: number): Promise<void> {
  await insertSealed(tx, 'pay_file_template_changes', {
    template_id: templateId,
    made_by: accountId,
    made_at: tx.now,
  })
}

/**
 * Deletes a template that no run has used. Files are generated on demand, so the template of a run must stay. So must
 * the last template.
 *
 * @throws NOT_FOUND; CONFLICT for a template that a run has used, or the last one.
 */
export async function deleteTemplate(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<void> {
  refuseSignedInAs(viewer)
  await inTransaction(db, async (tx) => {
    // Preparing a run takes the same lock. While pay is off it locks nothing; then the templates' row locks ensure that
    // one of two deleted at once stays.
    await lockState(tx)
    const templates = await tx
      .selectFrom('pay_file_templates')
      .select(['id', 'name'])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const template = templates.find((one) => one.id === id)
    if (!template) throw notFound('template')
    const run = (await findLastRuns(tx)).get(id)
    if (run !== undefined) {
      throw conflict(
        `The payment run ${run} uses ${template.name}. Only templates that no run has used can be deleted.`,
      )
    }
    if (templates.length === 1) {
      throw conflict('This is the only template. Add another one first: runs need a template.')
    }
    await changeSealed(tx, 'pay_file_templates', { id }, () =>
      tx.deleteFrom('pay_file_templates').where('id', '=', id).execute(),
    )
  })
}

/** Remembers the column mapping of a bank's result files. */
export async function rememberColumns(tx: Tx, id: number, results: ResultColumns): Promise<void> {
  const present = await lockTemplate(tx, id)
  if (isDeepStrictEqual(present.layout.results, results)) return
  await save(tx, { ...present, layout: { ...present.layout, results } })
}

export async function previewOf(
  { db }: Pick<Services, 'db'>,
  layout: PayFileLayout,
): Promise<AnswerOf<Calls['previewPayFile']>> {
  refuseUnwritable(layout)
  const { today } = await findBank(db)
  const transfers = sampleTransfers(layout, today)
  return {
    files: filesOf(layout, 'R-2026-0004', transfers).map((file) => ({
      channel: file.channel,
      text: textOf(layout, { ...file, transfers: file.transfers.slice(0, PREVIEW_LINES) }),
    })),
  }
}

/** A file's bytes as text. Of a workbook, its cells with tabs between them. */
function textOf(layout: PayFileLayout, file: PayFile): string {
  if (layout.format !== 'xlsx')
    return new TextDecoder(layout.encoding).decode(bytesOf(layout, file))
  const separated = { format: 'separated', separator: 'tab', quotes: false } as const
  return String(bytesOf({ ...layout, ...separated, encoding: 'utf-8' }, file))
}

const save = (tx: Tx, { id, name, layout, version }: PayFileTemplate) =>
  changeSealed(tx, 'pay_file_templates', { id }, () =>
    tx
      .updateTable('pay_file_templates')
      .set({ name, layout: JSON.stringify(layout), version: version + 1 })
      .where('id', '=', id)
      .execute(),
  )

type TemplateRow = Selectable<DB['pay_file_templates']>

const templateOf = ({ layout, ...row }: TemplateRow): PayFileTemplate => ({
  ...row,
  layout: payFileLayoutSchema.parse(layout),
})

function foundTemplate(row: TemplateRow | undefined): PayFileTemplate {
  if (!row) throw notFound('template')
  return templateOf(row)
}

/** @throws VALIDATION_ERROR for headings or texts that the file format can't represent. */
function refuseUnwritable(layout: PayFileLayout): void {
  const problem = problemOfLayout(layout)
  if (problem) throw invalid({ layout: [problem] })
}
