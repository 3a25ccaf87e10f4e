import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPort } from '../../test/faults/app-process.ts'
import { until } from '../../test/until.ts'
import { parseConfig } from '../config.ts'
import { makeClickIds } from '../tracking/clicks/click-id-signer.ts'
import { readSpoolLine } from '../tracking/clicks/spool-line.ts'
import { makeServer } from '../http/server.ts'
import { type FirstStage, startFirstStage } from './first-stage.ts'
import { openGate } from './gate.ts'

const secrets = { secret: Buffer.alloc(32, 1), formerSecrets: [] }
const log = pino({ level: 'silent' })
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

const links = {
  format: 2,
  facts: {
    sites: [{ id: 1, active: true, click_param: 'cid' }],
    types: [
      { id: 2, site_id: 1, url: 'https://merchant.example/', active: true },
      { id: 3, site_id: 1, url: 'https://merchant.example/', active: false },
    ],
    agents: [{ id: 4, office_id: 5, works: true }],
    officeSites: [{ office_id: 5, site_ids: [1] }],
    agentSitesOff: [],
  },
  blacklist: ['203.0.113.0/24'],
}

let dataDir: string
let port: number
let close: (() => Promise<void>)[]
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-stage-'))
  port = await findPort()
  close = []
})
afterEach(async () => {
  for (const one of close) await one()
  await rm(dataDir, { recursive: true })
})

const keep = (content: unknown) =>
  writeFile(join(dataDir, 'links.json'), JSON.stringify(content), { mode: 0o600 })

const ask = (path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': BROWSER, connection: 'close' },
  })

async function open() {
  const gate = await openGate({ PORT: String(port) })
  if (!gate) throw new Error('the port is taken')
  const config = parseConfig({ PORT: String(port), DATA_DIR: dataDir })
  return { gate, config, start: () => startFirstStage(config, secrets, log, gate) }
}

async function handOver(stage: FirstStage, app: FastifyInstance): Promise<void> {
  const { ended } = await stage.handOver(app)
  close.push(() => ended)
}

/** The whole server, which takes over. */
function whole(config: ReturnType<typeof parseConfig>) {
  const app = makeServer({ config, secret: secrets.secret })
  app.get('/*', () => 'whole')
  close.push(() => app.close())
  return app
}

test('who comes before the program is loaded is answered once it is, and nobody is refused at the change', async () => {
  await keep(links)
  const { start, config } = await open()
  const early = ask('/api/links/go/1/2/4?sub1=early')
  const stage = await start()
  expect(stage.isReady()).toBe(true)
  expect((await early).status).toBe(302)

  const app = whole(config)
  let isOver = false
  const answers: string[] = []
  const asking = (async () => {
    while (!isOver || answers.at(-1) !== 'whole') {
      const answer = await ask('/api/links/go/1/2/4')
      answers.push(answer.status === 302 ? 'first' : await answer.text())
    }
  })()
  await until(() => answers.length > 0)
  await handOver(stage, app)
  isOver = true
  await asking
  expect([...new Set(answers)].toSorted()).toEqual(['first', 'whole'])
})

test('without a database, visitors are redirected and their clicks are in the spool', async () => {
  await keep(links)
  const { start, config } = await open()
  const stage = await start()
  const answer = await ask('/api/links/go/1/2/4/?sub1=fb')
  const cid = new URL(answer.headers.get('location') ?? '').searchParams.get('cid') ?? ''
  const fields = makeClickIds(secrets.secret).read(cid)
  // Switched on, or made, in the last moment of the earlier process?
  expect((await ask('/api/links/go/1/3/4')).status).toBe(503)
  expect((await ask('/api/links/go/1/9/4')).status).toBe(503)

  await handOver(stage, whole(config))
  const spool = join(dataDir, 'spool')
  await until(async () => (await readdir(spool)).some((name) => name.endsWith('.ready')), 10_000)
  const [name = ''] = await readdir(spool)
  const lines = (await readFile(join(spool, name), 'utf8')).trimEnd().split('\n')
  expect(lines.map(readSpoolLine)).toMatchObject([{ ...fields, officeId: 5, subs: { sub1: 'fb' } }])
})

test('without a database, links carry parameters and lead to pages as they did before', async () => {
  const { sites, types, ...facts } = links.facts
  await keep({
    ...links,
    facts: {
      ...facts,
      sites: sites.map((site) => ({ ...site, deep_hosts: ['shop.example'] })),
      types: types.map((type) => ({ ...type, forward_params: true })),
    },
  })
  const { start, config } = await open()
  const stage = await start()
  const answer = await ask('/api/links/go/1/2/4?to=https://shop.example/p&gclid=g')
  expect(answer.headers.get('location')).toMatch(/^https:\/\/shop\.example\/p\?cid=\w+&gclid=g$/)
  await handOver(stage, whole(config))
})

test('without a database, short links lead on, and one that is not on disk may be new', async () => {
  const fact = {
    look: 'marla-shop',
    site_id: 1,
    type_id: 2,
    agent_id: 4,
    carries: { sub1: 'kept' },
  }
  await keep({ ...links, shortLinks: [fact] })
  const { start, config } = await open()
  const stage = await start()
  const answer = await ask('/Maria-Shop/?sub1=mine')
  const { searchParams, host } = new URL(answer.headers.get('location') ?? '')
  const fields = makeClickIds(secrets.secret).read(searchParams.get('cid') ?? '')
  expect([answer.status, host, fields?.agentId]).toEqual([302, 'merchant.example', 4])
  expect((await ask('/nobody-has-it')).status).toBe(503)
  await handOver(stage, whole(config))
  const [name = ''] = await readdir(join(dataDir, 'spool'))
  const lines = (await readFile(join(dataDir, 'spool', name), 'utf8')).trimEnd().split('\n')
  expect(lines.map(readSpoolLine)).toMatchObject([{ subs: { sub1: 'kept' } }])
})

test('without a database, visitors of a suspended link go where its site says instead', async () => {
  const { sites } = links.facts
  await keep({
    ...links,
    facts: { ...links.facts, sites: sites.map((site) => ({ ...site, instead_type_id: 2 })) },
  })
  const { start, config } = await open()
  const stage = await start()
  const answer = await ask('/api/links/go/1/3/4')
  const { searchParams, host } = new URL(answer.headers.get('location') ?? '')
  const fields = makeClickIds(secrets.secret).read(searchParams.get('cid') ?? '')
  expect([host, fields?.typeId]).toEqual(['merchant.example', 2])
  await handOver(stage, whole(config))
})

test('what needs no database answers, and everything else asks to come back', async () => {
  const { start, config } = await open()
  const stage = await start()
  expect((await ask('/robots.txt')).status).toBe(200)
  expect((await ask('/icon.svg')).status).toBe(200)
  for (const path of ['/api/health', '/api/brand', '/api/postback/1?click_id=x']) {
    const answer = await ask(path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
  }
  await handOver(stage, whole(config))
})

test.each<[string, () => Promise<unknown>]>([
  ['missing', async () => undefined],
  ['of another format', () => keep({ ...links, format: 0 })],
  ['cut short', () => writeFile(join(dataDir, 'links.json'), '{"format":1,"fac')],
  [
    'last known to be current more than ten minutes ago',
    async () => {
      await keep(links)
      const then = new Date(Date.now() - 601_000)
      await utimes(join(dataDir, 'links.json'), then, then)
    },
  ],
])('if what was kept is %s, visitors are asked to come back', async (_, prepare) => {
  await prepare()
  const { start, config } = await open()
  const stage = await start()
  expect(stage.isReady()).toBe(false)
  expect((await ask('/api/links/go/1/2/4')).status).toBe(503)
  await handOver(stage, whole(config))
})

test.each([{ PORT: 'x' }, { HOST: 'localhost' }, { WEB_CONCURRENCY: '2' }])(
  '%o leaves opening the port to the server',
  async (environment) => {
    expect(await openGate({ PORT: String(port), ...environment })).toBeUndefined()
  },
)
