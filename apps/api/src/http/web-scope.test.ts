import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brandOf, DEFAULT_BRAND } from '@tallyroom/domain/brands/index'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { getAsItStands } from '../../test/get-as-it-stands.ts'
import { handleClientError, handleError, handleUnknownPath } from './error-handler.ts'
import { webScope } from './web-scope.ts'

const SECRET = 'what lies beside the web app'

const home = await mkdtemp(join(tmpdir(), 'tallyroom-web-'))
const webDir = join(home, 'dist')
await mkdir(join(webDir, 'assets'), { recursive: true })
await mkdir(join(home, 'dist-beside'))
await writeFile(
  join(webDir, 'index.html'),
  '<html lang="en"><head><title></title></head><script src="/first.js"></script><p>The app</p><div id="root"></div>',
)
await writeFile(join(webDir, 'first.js'), 'let first')
await writeFile(
  join(webDir, 'first-screens.json'),
  '{"/app/home":["assets/home.js","assets/home.css"],"/app/sites/$siteId":["assets/site.js"]}',
)
await writeFile(join(webDir, 'assets', 'app-1a2b.js'), 'let app')
await writeFile(join(webDir, 'assets', 'app-1a2b.js.br'), 'compressed')
await writeFile(join(webDir, '.env'), SECRET)
await writeFile(join(home, 'secret.key'), SECRET)
await writeFile(join(home, 'dist-beside', 'secret.key'), SECRET)

const app = Fastify({
  clientErrorHandler: handleClientError,
  frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
})
app.setErrorHandler(handleError)
app.setNotFoundHandler(handleUnknownPath)
await app.register(webScope, { brand: brandOf(DEFAULT_BRAND), landing: undefined, webDir })
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
const ask = (path: string) => getAsItStands(port, path)
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true })
})

test('files of the app are served, and any other path is a page of it', async () => {
  expect(await ask('/assets/app-1a2b.js')).toMatch(/^HTTP\/1.1 200 [^]*let app$/)
  expect(await ask('/app/offices')).toMatch(/^HTTP\/1.1 200 [^]*The app/)
  expect(await ask('/assets/gone-1a2b.js')).toMatch(/^HTTP\/1.1 404 /)
})

test('the page has the scripts that decide how it looks, which its policy names by their hash', async () => {
  const { headers, body } = await app.inject('/app/offices')
  expect(body).toContain('<script>let first</script>')
  const hash = createHash('sha256').update('let first').digest('base64')
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test('a page names the files that it loads, its style sheets where the outline is painted before them', async () => {
  const linksAt = async (path: string) =>
    (await app.inject(path)).body.match(/<(link|div) [^>]*>/g) ?? []
  expect(await linksAt('/app/home')).toEqual([
    expect.stringMatching(/rel="modulepreload".* href="\/assets\/home.js"/),
    expect.stringMatching(/rel="stylesheet".* href="\/assets\/home.css"/),
    '<div id="root">',
  ])
  expect(await linksAt('/app/sites/7')).toEqual([
    expect.stringMatching(/rel="modulepreload".* href="\/assets\/site.js"/),
    '<div id="root">',
  ])
  expect(await linksAt('/app/sites/7/links')).toEqual(['<div id="root">'])
  expect(await linksAt('/app/offices')).toEqual(['<div id="root">'])
})

test('files are sent as the build compressed them, to browsers that can read that', async () => {
  const askFor = (encoding: string) =>
    app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': encoding } })
  const compressed = await askFor('gzip, br')
  expect([compressed.headers['content-encoding'], compressed.body]).toEqual(['br', 'compressed'])
  expect(compressed.headers['cache-control']).toContain('immutable')
  expect(compressed.headers['content-type']).toContain('javascript')
  expect((await askFor('identity')).body).toBe('let app')
})

const climbs = [
  '../secret.key',
  '..%2fsecret.key',
  '..%5csecret.key',
  '..\\secret.key',
  '%2e%2e/secret.key',
  '%2e%2e%2fsecret.key',
  '%252e%252e%252fsecret.key',
  '..%c0%afsecret.key',
  '.../...//secret.key',
  'assets/../../secret.key',
  'assets/..%2f..%2fsecret.key',
  '/../secret.key',
  '/%2e%2e/secret.key',
  '../dist-beside/secret.key',
  '..%2fdist-beside%2fsecret.key',
  '../secret.key%00.js',
  '..%2fsecret.key%00.js',
  '.env',
  '%2eenv',
  'assets/../.env',
  `${encodeURIComponent(home)}/secret.key`,
  `/${home}/secret.key`,
  'file:///etc/passwd',
  '..;/secret.key',
  'C:%5csecret.key',
]

test.each(climbs)('nothing but the app comes out of /%s', async (path) => {
  const answer = await ask(`/${path}`)
  expect(answer).not.toContain(SECRET)
  expect(answer).not.toContain('root:')
  expect(answer).not.toContain(home)
  expect(answer).toMatch(/^HTTP\/1.1 (200 [^]*The app|400 |403 |404 )/)
})

test('an address that contains a host is an ordinary path', async () => {
  expect(await ask(`http://evil.example/../secret.key`)).not.toContain(SECRET)
  expect(await ask('//evil.example/%2f..')).not.toMatch(/location:/i)
})
