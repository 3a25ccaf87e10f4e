import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { MAX_XLSX_ROWS } from '@tallyroom/contract/export-formats'
import { addDays } from '@tallyroom/domain/new-york'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import compress from '@fastify/compress'
import { afterAll, expect, test, vi } from 'vitest'
import { addToTotals } from '../../../test/add-to-totals.ts'
import { buildAgent, buildOffice, buildLinkType, buildSite } from '../../../test/build-world.ts'
import { viewer } from '../../../test/call-routes.ts'
import { testDatabase } from '../../../test/database.ts'
import { readSheet, readZip } from '../../../test/read-xlsx.ts'
import { testServices } from '../../../test/services.ts'
import { handleError } from '../../http/error-handler.ts'
import { registerRoutes } from '../../http/route.ts'
import { sendDownload } from '../../http/send-download.ts'
import { foldTotals, streamTotals } from '../../totals/index.ts'
import { openReport } from '../../figures/statistics/report.ts'
import { exportFile } from '../../http/sheets/export-file.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { exportsRoutes } from './exports.routes.ts'
import type { Sheet } from '../../http/sheets/sheet.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)

const DAYS = 4_000
const ROWS = 2 * DAYS
const criteria = { start: '2010-01-01', end: addDays('2010-01-01', DAYS - 1) }
const asked = {
  ...criteria,
  groupBy: 'detail' as const,
  page: 1,
  pageSize: 1,
  siteId: undefined,
  typeId: undefined,
  companyId: undefined,
  agentId: undefined,
}
const office_id = await buildOffice(db)
const site_id = await buildSite(db)
const type_id = await buildLinkType(db, { site_id })
const maria = await buildAgent(db, { office_id, username: 'maria' })
const carlo = await buildAgent(db, { office_id, username: 'carlo' })
for (const agent_id of [maria, carlo]) {
  const rows = Array.from({ length: DAYS }, (_, index) => ({
    day: addDays(criteria.start, index),
    agent_id,
    office_id,
    site_id,
    type_id,
    sales: 1,
    raws: index,
    payout_centavos: 10_05,
  }))
  await addToTotals(db, rows)
}
await foldTotals(db)

const app = Fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
app.setErrorHandler(handleError)
app.decorateRequest('viewer', undefined)
await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
registerRoutes(app, exportsRoutes(services), {
  limit: () => {},
  find: () => Promise.resolve(viewer()),
  unlessSilent: (work) => work,
  clock: services.clock,
  tellOfForgery: async () => {},
})
app.get<{ Params: { how: string } }>('/fails/:how', async ({ params: { how } }, reply) => {
  const format = how === 'xlsx' ? 'xlsx' : 'csv'
  const rows = failing(how === 'at-once' ? 0 : 100)
  const columns = [{ header: 'A', kind: 'text' as const }]
  const sheet = only({ title: 'Failing', about: [], facts: [], columns, rows })
  return sendDownload(reply, await exportFile(format, sheet))
})
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo // it listens on TCP

const download = (format: 'csv' | 'xlsx', init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}/api/stats/sites-payout/export`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ format, criteria }),
    ...init,
  })

test('a long table arrives complete, under a safe name', async () => {
  const csv = await download('csv')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toBe(
    `attachment; filename="payroll_2010-01-01_${criteria.end}_by-detail.csv"`,
  )
  const text = await csv.text()
  expect(text.match(/\r\n20/g)).toHaveLength(ROWS)
  expect(text.split('\r\n')).toHaveLength(ROWS + 2) // a line of headings, and nothing behind the last line

  const xlsx = await download('xlsx')
  expect(xlsx.headers.get('content-encoding')).toBeNull()
  const parts = readZip(Buffer.from(await xlsx.arrayBuffer()))
  const rows = readSheet(parts['xl/worksheets/sheet1.xml'] ?? '')
  expect(rows).toHaveLength(ROWS + 2)
  expect(rows.at(-1)?.slice(6, 10)).toEqual([ROWS, 0, 0, 80_400])
})

test('a file is named after its criteria, in characters that every file system accepts', async () => {
  const sitename = 'Ça va? / Ñandú "1"'
  await db.updateTable('sites').set({ sitename }).where('id', '=', site_id).execute()
  const narrowed = { ...criteria, groupBy: 'agent', siteId: site_id, agentId: maria }
  const body = JSON.stringify({ format: 'csv', criteria: narrowed })
  const answer = await download('csv', { body })
  await answer.text()
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="payroll_2010-01-01_${criteria.end}_by-agent_Ca-va-Nandu-1_maria.csv"`,
  )
})

test('the file is one snapshot, whatever is recorded meanwhile', async () => {
  const moreSales = (sales: number) =>
    addToTotals(db, [{ day: criteria.end, agent_id: maria, office_id, site_id, type_id, sales }])
  let sales = 0
  const parts = streamTotals(services, async function* (tx, today) {
    const report = await openReport(tx, viewer(), 'payroll', asked, today)
    yield* report.streamRows(1_000)
  })
  for await (const rows of parts) {
    if (sales === 0) await moreSales(1_000).then(() => foldTotals(db))
    sales += rows.reduce((sum, row) => sum + row.sales, 0)
  }
  await moreSales(-1_000).then(() => foldTotals(db))
  expect(sales).toBe(ROWS)
})

test.each(['csv', 'xlsx'] as const)(
  'who hangs up ends the reading, and its session is free again: %s',
  async (format) => {
    for (let times = 0; times < 12; times++) {
      const hangUp = new AbortController()
      const answer = await download(format, { signal: hangUp.signal })
      await answer.body!.getReader().read()
      hangUp.abort()
    }
    await vi.waitFor(async () => expect(await openTransactions()).toBe(0), 60_000)
    expect((await download(format)).status).toBe(200)
  },
)

test.each(['csv', 'xlsx'] as const)(
  'a file that fails on its way does not look whole: %s',
  async (format) => {
    const answer = await fetch(`http://127.0.0.1:${port}/fails/${format}`)
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
  },
)

test('a failure at the beginning is a normal refusal', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/fails/at-once`)
  expect(answer.status).toBe(500)
  expect(answer.headers.get('content-disposition')).toBeNull()
})

test('two files are written at once, eight more wait, and the next is told to retry', async () => {
  const answers = Array.from({ length: 11 }, () => download('csv'))
  const statuses = (await Promise.all(answers)).map(({ status, body }) => {
    void body?.cancel()
    return status
  })
  expect(statuses.filter((status) => status === 503)).toHaveLength(1)
})

test('more rows than Excel can hold are refused, with a hint to use CSV', () => {
  expect(() => refuseTooMany('xlsx', MAX_XLSX_ROWS)).not.toThrow()
  expect(() => refuseTooMany('csv', MAX_XLSX_ROWS + 1)).not.toThrow()
  expect(() => refuseTooMany('xlsx', MAX_XLSX_ROWS + 1)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      data: {
        format: [
          'These are 1,000,001 rows, but an Excel file holds at most 1,000,000. Save them as CSV.',
        ],
      },
    }),
  )
})

async function* failing(parts: number) {
  for (let part = 0; part < parts; part++) {
    yield Array.from({ length: 1_000 }, () => [randomUUID()])
  }
  throw new Error('the database went away')
}

async function* only(sheet: Sheet): AsyncGenerator<Sheet> {
  yield sheet
}

async function openTransactions(): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
  `.execute(db)
  return rows[0]?.open ?? 0
}
