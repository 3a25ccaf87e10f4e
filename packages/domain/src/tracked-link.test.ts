import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildTrackedLink, MAX_ID, parseId, parseTrackedLink } from './tracked-link.ts'

const link = { siteId: 12, typeId: 34, agentId: 56 }

describe('reading a tracked link', () => {
  test.each([
    ['https://go.example.com/api/links/go/12/34/56'],
    ['http://localhost:3000/api/links/go/12/34/56/'],
    ['/api/links/go/12/34/56'],
    ['api/links/go/12/34/56'],
    ['See https://go.example.com/api/links/go/12/34/56, please.'],
    ['"https://go.example.com/api/links/go/12/34/56"'],
    ['https://go.example.com/api/links/go/12/34/56#top'],
    ['https://go.example.com/api/links/go/12/34/56?utm_source=x'],
    ['https://go.example.com/api/links/go/12/34/56.'],
    ['https://go.example.com/api/links/go/12/34/56,'],
    ['(https://go.example.com/api/links/go/12/34/56)'],
    ['https://go.example.com/api/links/go/12/34/56%20'],
    ['https://go.example.com/api/links/go/12/34/56%E2%80%8B'],
    ['https://go.example.com/api/links/go/12/34/56\u200b'],
    ['https://go.example.com/api/links/go/12/34/56abc'],
    ['https://go.example.com/api/links/go/12/34/56/78'],
    ['https://go.example.com/api/links/go/12/34/56&fbclid=x'],
    ['https://go.example.com//api/links//go/12/34/56'],
    ['https://go.example.com/API/Links/GO/12/34/56'],
    ['https://go.example.com/api/links/go/12%2F34%2f56'],
    ['https://go.example.com/api/links/go/ 12/\n34/56'],
    ['https:\\\\go.example.com\\api\\links\\go\\12\\34\\56'],
  ])('%s', (text) => {
    expect(parseTrackedLink(text)).toEqual({ ...link, subs: {} })
  })

  test.each([
    [''],
    ['https://go.example.com/links/go/12/34/56'],
    ['https://go.example.com/api/links/go/12/34'],
    ['https://go.example.com/api/links/go/12/34/'],
    ['https://go.example.com/api/links/go/0/34/56'],
    ['https://go.example.com/api/links/go/12/-34/56'],
    ['https://go.example.com/api/links/go/12/34 56'],
    ['https://go.example.com/api/links/go/12/34/2147483648'],
    ['https://go.example.com/api/links/go/12/34/99999999999999999999'],
    ['https://go.example.com/my-api/links/go/12/34/56'],
    ['https://go.example.com/api/links/go/1e3/34/56'],
  ])('%j is not one', (text) => {
    expect(parseTrackedLink(text)).toBeUndefined()
  })

  test('keeps only the sub ids of the query', () => {
    expect(
      parseTrackedLink('x.example/api/links/go/12/34/56?sub1=a%20b&x=1&sub5=%C3%A9&sub2=#sub3=no'),
    ).toEqual({ ...link, subs: { sub1: 'a b', sub5: 'é' } })
  })

  test.each([
    ['?sub1=fb'],
    ['/?sub1=fb'],
    ['&sub1=fb'],
    ['&amp;sub1=fb'],
    ['&#038;sub1=fb'],
    ['?amp;sub1=fb'],
    ['%3Fsub1%3Dfb'],
    ['%20?sub1=fb'],
    ['?a=b&amp;sub1=fb'],
    ['?a=b&#38;sub1=fb&amp;c=d'],
  ])('with the query %s has its sub ids', (rest) => {
    expect(parseTrackedLink(`https://go.example.com/api/links/go/12/34/56${rest}`)).toEqual({
      ...link,
      subs: { sub1: 'fb' },
    })
  })

  test('is the inverse of building it', () => {
    const id = fc.integer({ min: 1, max: MAX_ID })
    const sub = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.toWellFormed())
    fc.assert(
      fc.property(
        fc.record({ siteId: id, typeId: id, agentId: id }),
        fc.record({ sub1: sub, sub4: sub }, { requiredKeys: [] }),
        (ids, subs) => {
          const built = buildTrackedLink('https://go.example.com/', ids, subs)
          expect(new URL(built).host).toBe('go.example.com')
          expect(parseTrackedLink(`<${built}>`)).toEqual({ ...ids, subs })
        },
      ),
    )
  })
})

test.each([
  ['1', 1],
  ['2147483647', MAX_ID],
  ['2147483648', undefined],
  ['9007199254740993', undefined],
  ['0', undefined],
  ['01', undefined],
  ['+1', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['0x1', undefined],
  [' 1', undefined],
  ['1\n', undefined],
  ['١', undefined],
  ['', undefined],
])('the id in %j is %s', (text, id) => {
  expect(parseId(text)).toBe(id)
})
