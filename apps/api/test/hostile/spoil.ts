import { gzipSync } from 'node:zlib'
import { hostileText, hostileValue, privileges } from './hostile-values.ts'
import type { Random } from './random.ts'
import { raw, type FuzzRequest } from './request.ts'

/** Makes a request wrong in one to three ways. */
export function spoil(request: FuzzRequest, random: Random): void {
  for (let times = 1 + random.below(3); times > 0; times--) random.pick(ways)(request, random)
}

type Way = (request: FuzzRequest, random: Random) => void

const ways: readonly Way[] = [
  // More often than others, because most errors are in the content of fields.
  ...Array.from({ length: 6 }, () => replaceValue),
  function leaveOut({ body }, random) {
    const [holder, key] = somewhereIn(body, random) ?? []
    if (holder && key !== undefined) Reflect.deleteProperty(holder, key)
  },
  function swapTypes({ body }, random) {
    const [holder, key] = somewhereIn(body, random) ?? []
    if (!holder || key === undefined) return
    const value = holder[key]
    holder[key] = random.pick([
      [value],
      { value },
      JSON.stringify(value) ?? '',
      Number.parseFloat(JSON.stringify(value) ?? ''),
      !value,
      [value, value],
    ])
  },
  function assignMore(request, random) {
    // Copies, because they may be spoiled in turn.
    const chosen = Object.entries(structuredClone(privileges)).filter(() => random.chance(0.3))
    const target = holdersIn(request.body)
    if (target.length > 0) Object.assign(random.pick(target), Object.fromEntries(chosen))
    else
      request.query.push(...chosen.map(([name, value]): [string, string] => [name, String(value)]))
  },
  function pollute({ body }, random) {
    const [target] = holdersIn(body)
    if (!target) return
    const value = { polluted: true, role: 0, constructor: { prototype: { polluted: true } } }
    const key = random.pick(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'])
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  },
  function spoilParameter({ params }, random) {
    const names = Object.keys(params)
    if (names.length === 0) return
    const encodedTexts = ['%', '%zz', '%ff', '%2e%2e%2f', '%00', '1%2f2', '..', '%u0031', '1;2', '']
    params[random.pick(names)] = random.chance(0.5)
      ? random.pick(encodedTexts)
      : encodeURIComponent(hostileText(random).toWellFormed())
  },
  function spoilQuery({ query }, random) {
    const given =
      query.length > 0 ? random.pick(query)[0] : random.pick(['page', 'sortField', 'id'])
    query.push(
      random.pick([
        [given, hostileText(random)],
        [given, given],
        [`${given}[]`, '1'],
        [`${given}[__proto__]`, 'polluted'],
        ['__proto__[polluted]', '1'],
        [raw(given), raw('%zz%ff')],
        [raw(''), raw('&&=&=')],
      ]),
    )
  },
  function breakJson(request, random) {
    if (request.body === undefined) return
    const text = JSON.stringify(request.body)
    request.headers['content-type'] ??= 'application/json'
    request.bytes = random.pick([
      () => Buffer.from(text.slice(0, random.below(text.length))),
      () => Buffer.from(`${text}${text}`),
      () => Buffer.from(`\ufeff${text}`),
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80, 0x7d])]),
      () => Buffer.from('['.repeat(50_000)),
      () => Buffer.from('{"a":'.repeat(20_000)),
      () => Buffer.from(''),
      () => Buffer.from('\0'.repeat(100)),
    ])()
  },
  function mislabel(request, random) {
    request.headers['content-type'] = random.pick([
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'nonsense',
      '',
      '/',
      ',',

      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json; charset=utf-16',

      'application/json; charset=utf-7',
      'application/jsonp',
      'application/json\u0000',
      'a'.repeat(2_000),
    ])
  },
  function pack(request, random) {
    request.headers['content-encoding'] = random.pick([
      'gzip',
      'br',
      'deflate',
      'identity, gzip',
      'x',
    ])
    if (random.chance(0.5)) request.bytes = gzipSync(JSON.stringify(request.body ?? {}))
  },
  function otherMethod(request, random) {
    request.method = random.pick([
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'HEAD',
      'OPTIONS',
      'TRACE',
    ])
  },
  function strangeHeader(request, random) {
    const [name, value] = random.pick([
      ['x-http-method-override', 'DELETE'],
      ['x-original-url', '/api/admins'],
      ['x-rewrite-url', '/api/admins'],
      ['x-forwarded-for', "127.0.0.1, ' or 1=1, \0"],
      ['x-forwarded-host', 'evil.example'],
      ['host', 'evil.example:99999'],
      ['accept', 'text/html;q=zz'],
      ['accept-encoding', 'gzip;q=0, br;q=9, *;q=-1'],
      ['if-none-match', '*'],
      ['range', 'bytes=0-,-1'],
      ['expect', '200-ok'],
      ['cookie', 'token=x; __proto__=1'],
      ['referer', 'javascript:alert(1)//\0'],
      ['user-agent', '\u0000'.repeat(50)],
      ['user-agent', 'Mozilla/5.0 ' + 'a'.repeat(8_000)],
      ['x-signature', 't=1,v1=zz,v1=,t=NaN'],
      ['authorization', 'Bearer'],
      ['authorization', `Bearer ${'a'.repeat(4_000)}`],
      ['authorization', 'Basic YWRtaW46YWRtaW4='],
      ['authorization', 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjowLCJhY2NvdW50SWQiOjF9.'],
    ] as const)
    request.headers[name] = value
  },
  function strangeForm(request, random) {
    if (!(request.bytes instanceof FormData)) return
    const form = request.bytes
    random.pick([
      () =>
        form.append('image', new Blob(['<svg onload=alert(1)>'], { type: 'image/svg+xml' }), '\0'),
      () => form.append('role', '0'),
      () => form.set('image', 'no file'),
      () => form.set('image', new Blob([]), 'empty.png'),
      () =>
        form.set(
          'image',
          new Blob([Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1')]),
          '../../a.gif',
        ),
      () => form.delete('image'),
    ])()
  },
]

/** Rarely, because each costs more than a hundred others. */
const oversized = Buffer.from(`{"a":"${'x'.repeat(1_200_000)}"}`)

/** More than any call accepts. */
export function overfill(request: FuzzRequest): void {
  request.bytes = oversized
  request.headers['content-type'] = 'application/json'
}

function replaceValue(request: FuzzRequest, random: Random): void {
  const [holder, key] = somewhereIn(request.body, random) ?? []
  if (holder && key !== undefined) holder[key] = hostileValue(holder[key], random)
  else if (request.query.length > 0) random.pick(request.query)[1] = hostileText(random)
}

type Holder = Record<string, unknown>

/** Every object and list in a body, itself first. */
function holdersIn(value: unknown, found: Holder[] = []): Holder[] {
  if (typeof value !== 'object' || value === null || found.length > 50) return found
  found.push(value as Holder) // a list is one by its places
  for (const inner of Object.values(value)) holdersIn(inner, found)
  return found
}

/**
 * A place in a body, identified by its container. Secrets stay where they are, because elsewhere
 * they would not be treated as secrets.
 */
function somewhereIn(body: unknown, random: Random): [Holder, string] | undefined {
  const places = holdersIn(body).flatMap((holder) =>
    Object.keys(holder).map((key): [Holder, string] => [holder, key]),
  )
  return places.length > 0 ? random.pick(places) : undefined
}
