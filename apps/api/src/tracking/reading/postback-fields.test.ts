import { describe, expect, test } from 'vitest'
import type { Field } from './field.ts'
import { readBody, readForm } from './postback-fields.ts'

const one = (contentType: string, body: string | Buffer): Field[] => {
  const read = readBody(contentType, Buffer.from(body))
  if (read.kind !== 'one') throw new Error(JSON.stringify(read))
  return read.fields
}

const two: Field[] = [
  ['cid', 'a'],
  ['tid', 'Müller'],
]
const bom = Buffer.from([0xef, 0xbb, 0xbf])
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('one postback, however it is sent', () => {
  test.each<[string, string, string | Buffer]>([
    ['a form', 'application/x-www-form-urlencoded', 'cid=a&tid=M%C3%BCller'],
    ['a form in Latin-1', 'application/x-www-form-urlencoded', 'cid=a&tid=M%FCller'],
    ['a form with raw Latin-1 bytes', '', latin1('cid=a&tid=Müller')],
    [
      'a form that says its charset',
      'application/x-www-form-urlencoded; charset=ISO-8859-1',
      'cid=a&tid=M%FCller',
    ],
    [
      'a form with a byte order mark',
      '',
      Buffer.concat([bom, Buffer.from('cid=a&tid=M%C3%BCller')]),
    ],
    ['JSON', 'application/json', '{"cid":"a","tid":"Müller"}'],
    [
      'JSON with a byte order mark',
      'application/json',
      Buffer.concat([bom, Buffer.from('{"cid":"a","tid":"Müller"}')]),
    ],
    ['JSON in Latin-1', 'application/json', latin1('{"cid":"a","tid":"Müller"}')],
    [
      'JSON in UTF-16',
      'application/json; charset=utf-16le',
      Buffer.from('{"cid":"a","tid":"Müller"}', 'utf16le'),
    ],
    ['JSON without a content type', '', ' {"cid":"a","tid":"Müller"}'],
    [
      'JSON that curl calls a form',
      'application/x-www-form-urlencoded',
      '{"cid":"a","tid":"Müller"}',
    ],
    ['JSON called text', 'text/plain', '{"cid":"a","tid":"Müller"}'],
  ])('%s', (_, contentType, body) => {
    expect(one(contentType, body)).toEqual(two)
  })

  const part = (name: string, value: string, more = '') =>
    `--x1\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
  test.each(['multipart/form-data; boundary=x1', ''])('a multipart form as %j', (contentType) => {
    expect(one(contentType, `${part('cid', 'a')}${part('tid', 'Müller')}--x1--\r\n`)).toEqual(two)
  })
  test('a file in it is no value', () => {
    const body = `${part('cid', 'a')}${part('tid', 'x', '; filename="a.txt"')}--x1--`
    expect(one('multipart/form-data; boundary=x1', body)).toEqual([
      ['cid', 'a'],
      ['tid', '{…}'],
    ])
  })
  test('a part may hold line breaks and blank lines', () => {
    expect(one('', `${part('note', 'a\r\n\r\nb')}--x1--`)).toEqual([['note', 'a\r\n\r\nb']])
  })
  test('half a multipart form is unreadable', () => {
    const read = readBody('multipart/form-data; boundary=x1', Buffer.from(part('cid', 'a')))
    expect(read).toEqual({ kind: 'unreadable', reason: 'The body is not a valid multipart form.' })
  })
  test.each(['application/json', 'multipart/form-data', 'text/xml', ''])(
    'an empty body of %j has no fields',
    (contentType) => {
      expect(one(contentType, '')).toEqual([])
    },
  )
})

describe('two order numbers never become one', () => {
  test.each([
    ['M%FCller', 'M%F6ller'],
    ['%ff%fe', '%fe%ff'],
    ['%C3', '%C4'],
    ['%ED%A0%80', '%ED%A0%81'],
    ['100%', '100%25%25'],
    ['%zz', '%zy'],
  ])('%s and %s', (a, b) => {
    const [first, second] = [a, b].map((text) => readForm(`tid=${text}`)[0]?.[1])
    expect(first).not.toBe(second)
    expect(`${first}${second}`).not.toContain('\ufffd')
  })
})

test('what is inside objects and lists follows with its path', () => {
  const body = '{"cid":"a","order":{"id":7,"lines":[{"status":"refunded"}]},"none":null}'
  expect(one('application/json', body)).toEqual([
    ['cid', 'a'],
    ['order', '{…}'],
    ['order.id', '7'],
    ['order.lines.0.status', 'refunded'],
  ])
})
