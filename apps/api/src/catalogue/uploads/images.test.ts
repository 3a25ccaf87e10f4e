import { crc32, deflateSync } from 'node:zlib'
import { uploadsEndpoints } from '@tallyroom/contract/catalogue/uploads'
import sharp from 'sharp'
import { afterAll, expect, test, vi } from 'vitest'
import { signedIn } from '../../../test/access-matrix-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { getAsItStands } from '../../../test/get-as-it-stands.ts'
import { formOf, send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { buildApp } from '../../app.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const app = await buildApp(services)
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
afterAll(() => app.close())
await vi.waitFor(async () => expect((await app.inject('/api/health')).statusCode).toBe(200), 60_000)
const token = await signedIn(services, 'superadmin', { officeId: 0, agentId: 0 })

const PART_HEAD = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'

const red = { r: 200, g: 30, b: 30 }
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } })

test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
  'a %s is accepted and served with its own media type',
  async (format) => {
    const { status, body } = await upload(await blank(40, 30).toFormat(format).toBuffer())
    expect(status).toBe(200)
    expect(body).toMatchObject({ width: 40, height: 30 })
    expect(body.url).toMatch(/^\/api\/files\/image\/[0-9a-f]{64}\.(png|jpg|webp|gif)$/)
    const answer = await app.inject(body.url)
    expect(answer.headers).toMatchObject({
      'content-type': `image/${format}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy':
        "default-src 'none'; sandbox; base-uri 'none'; frame-ancestors 'none'",
      'content-disposition': `inline; filename="${body.url.split('/').at(-1)}"`,
    })
    const { width, height, format: served } = await sharp(answer.rawPayload).metadata()
    expect({ width, height, served }).toEqual({ width: 40, height: 30, served: format })
  },
)

test('an image uploaded twice is stored once', async () => {
  const bytes = await blank(41, 31).png().toBuffer()
  const [one, other] = [await upload(bytes), await upload(bytes)]
  expect(one.body.url).toBe(other.body.url)
  const rows = await db
    .selectFrom('uploads')
    .select('content_hash')
    .where('width', '=', 41)
    .execute()
  expect(rows).toHaveLength(1)
})

test('EXIF data is removed and the orientation applied', async () => {
  const photo = await blank(60, 20)
    .withExif({ IFD0: { Copyright: 'canary-copyright', Make: 'canary-camera' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(photo.toString('latin1')).toContain('canary')
  const { body } = await upload(photo)
  expect(body).toMatchObject({ width: 20, height: 60 })
  const served = await serve(body.url)
  expect(served.toString('latin1')).not.toContain('canary')
  expect((await sharp(served).metadata()).exif).toBeUndefined()
})

test('anything else hidden in an image file is removed', async () => {
  const script = '<script>alert("canary")</script>'
  const gif = await blank(8, 8).gif().toBuffer()
  const jpeg = await blank(8, 8).jpeg().toBuffer()
  const comment = Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, script.length + 2]),
    Buffer.from(script),
    jpeg.subarray(2),
  ])
  for (const polyglot of [Buffer.concat([gif, Buffer.from(script)]), comment]) {
    expect(polyglot.toString('latin1')).toContain('canary')
    const { status, body } = await upload(polyglot)
    expect(status).toBe(200)
    expect((await serve(body.url)).toString('latin1')).not.toContain('script')
  }
})

test('an image larger than any page is scaled down', async () => {
  const { body } = await upload(await blank(5_000, 1_000).png().toBuffer())
  expect(body).toMatchObject({ width: 2_000, height: 400 })
})

test('an animation keeps its frames', async () => {
  const frames = await Promise.all(
    [red, { r: 0, g: 0, b: 255 }].map((background) =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  const { body } = await upload(moving)
  expect(body).toMatchObject({ width: 20, height: 10 })
  expect((await sharp(await serve(body.url)).metadata()).pages).toBe(2)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const noPicture = { image: ['must be a PNG, JPEG, WebP or GIF image'] }
const tooManyPixels = { image: ['must have at most 50 million pixels'] }
const broken = { image: ['is damaged and can’t be shown'] }

test.each([
  ['an SVG', Buffer.from(svg), noPicture],
  ['an HTML page', Buffer.from('<html><script>alert(1)</script>'), noPicture],
  ['an empty file', Buffer.alloc(0), noPicture],
  [
    'an SVG behind a PNG signature',
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(svg)]),
    broken,
  ],
  ['a truncated image', (await blank(200, 200).png().toBuffer()).subarray(0, 100), broken],
  ['a decompression bomb', pngHeader(60_000, 60_000), tooManyPixels],
  ['a decompression bomb only 6 pixels high', pngHeader(9_000_000, 6), tooManyPixels],
])('%s is refused', async (_, bytes, data) => {
  const { status, body } = await upload(bytes)
  expect([status, body.data]).toEqual([422, data])
})

test('a file over 10 MB is refused, one just below is accepted', async () => {
  const picture = await blank(10, 10).gif().toBuffer()
  const of = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
  const limit = 10 * 1024 * 1024
  expect((await upload(of(limit - 1))).status).toBe(200)
  const refused = await upload(of(limit + 1))
  expect([refused.status, refused.body.data]).toEqual([422, { image: ['must have at most 10 MB'] }])
})

test('a form without the field, a form with another field and a JSON body are refused', async () => {
  const file = { field: 'other', bytes: await blank(8, 8).gif().toBuffer() }
  const other = await send(app, uploadsEndpoints.uploadImage, { file }, { token })
  expect([other.statusCode, other.json().data]).toEqual([422, { image: ['Choose a picture'] }])
  const body = await send(app, uploadsEndpoints.uploadImage, { body: { image: 'x' } }, { token })
  expect([body.statusCode, body.json().code]).toEqual([415, 'VALIDATION_ERROR'])
})

test('no other call accepts a form or more than 1 MB', async () => {
  const headers = { authorization: `Bearer ${token}` }
  const call = { method: 'POST', url: '/api/news', headers } as const
  const form = formOf({ field: 'html', bytes: Buffer.from('x') })
  expect((await app.inject({ ...call, payload: form })).statusCode).toBe(415)
  const large = { html: 'x'.repeat(1_100_000) }
  expect((await app.inject({ ...call, payload: large })).statusCode).toBe(413)
})

test.each(['..%2f..%2fetc%2fpasswd', `${'0'.repeat(64)}.svg`, `${'0'.repeat(64)}.png%00`, 'x'])(
  'the name %s is refused',
  async (name) => {
    const { statusCode } = await app.inject(`/api/files/image/${name}`)
    expect(statusCode).toBe(422)
  },
)

const key = 'secret.key'
const passwd = 'etc/passwd'
const encoded = encodeURIComponent(passwd)

test.each([
  `../../../${key}`,
  `..%2f..%2f${key}`,
  `..%2F..%2F..%2F${encoded}`,
  `%2e%2e/%2e%2e/${passwd}`,
  `%2e%2e%2f%2e%2e%2f${encoded}`,
  `..\\..\\${key}`,
  `..%5c..%5c${key}`,
  `..%5c..%5c${encoded}`,
  `%252e%252e%252f${key}`,
  `..%c0%af..%c0%af${encoded}`,
  `....//....//${passwd}`,
  `${key}%00.png`,
  `..%2f${key}%00.png`,
  `${'0'.repeat(64)}.png%00`,
  `${'0'.repeat(64)}.png/../../../../${passwd}`,
  `${'0'.repeat(64)}.png%2f..%2f..%2f${key}`,
  `/${passwd}`,
  `%2f${encoded}`,
  `C:%5c${key}`,
  `file:///${passwd}`,
  `..;/${key}`,
])('/api/files/image/%s serves no other file', async (path) => {
  const [head = '', body = ''] = (await getAsItStands(port, `/api/files/image/${path}`)).split(
    /\r?\n\r?\n/,
  )
  expect(head).toMatch(/^HTTP\/1.1 (400|404|422) /)
  expect(head).toMatch(/content-type: application\/json/i)
  expect(body).not.toMatch(/root:|node_modules|\/data/)
})

test('an image is served under its own extension only', async () => {
  const { body } = await upload(await blank(8, 8).gif().toBuffer())
  expect((await app.inject(body.url)).statusCode).toBe(200)
  expect((await app.inject(body.url.replace('.gif', '.png'))).statusCode).toBe(404)
})

async function upload(bytes: Buffer) {
  const file = { field: 'image', bytes }
  const answer = await send(app, uploadsEndpoints.uploadImage, { file }, { token })
  return { status: answer.statusCode, body: answer.json() }
}

const serve = async (url: string) => (await app.inject(url)).rawPayload

/** A complete PNG of a few bytes whose header claims that size. */
function pngHeader(width: number, height: number): Buffer {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test.each([
  ['multipart/form-data; boundary=', ''],
  ['multipart/form-data; boundary=', '\r\n'],
  ['multipart/form-data; boundary=', 'anything'],
  ['multipart/form-data', 'anything'],
  ['multipart/form-data; boundary=edge', ''],
  ['multipart/form-data; boundary=edge', 'anything'],
  ['multipart/form-data; boundary=edge', '--edge'],
  ['multipart/form-data; boundary=edge', '--edge\r\ncontent-disposition: form-data; name="file"'],
  ['multipart/form-data; boundary=edge', `${PART_HEAD}cut short`],
  ['multipart/form-data; boundary=edge', `--edge\r\n${'x: y\r\n'.repeat(3_000)}`],
])('a malformed form is refused, %s: %j', async (contentType, payload) => {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/files/image',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    payload: Buffer.from(payload),
  })
  expect(statusCode).toBeGreaterThanOrEqual(400)
  expect(statusCode).toBeLessThan(500)
})
