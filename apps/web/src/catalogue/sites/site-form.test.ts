import { expect, test } from 'vitest'
import { namesFrom, newSiteValues, siteRefusals } from './site-form.ts'

const none = { sitename: '', shortname: '', abbr: '' }

/** As each letter is typed. */
const typed = (name: string, before = none) =>
  Array.from(name).reduce((names, _letter, at) => namesFrom(names, name.slice(0, at + 1)), before)

test.each([
  ['Lantern', 'Lantern', 'LAN'],
  ['Harbor Hearts', 'Harbor Hearts', 'HH'],
  ['Harbor Hearts Dating', 'Harbor Hearts', 'HHD'],
  ['  Ñandú & Söhne ', 'Ñandú & Söhne', 'ÑS'],
  ['Supercalifragilistic', 'Supercalifragili', 'SUP'],
  ['a b c d e f g h i j k l', 'a b c d e f g h', 'ABCDEFGHIJ'],
  ['&', '&', ''],
])('the shorter names of %j are proposed', (name, shortname, abbr) => {
  expect(typed(name)).toEqual({ sitename: name, shortname, abbr })
})

test('what was typed stays', () => {
  const own = { ...typed('Lantern'), abbr: 'LL' }
  expect(namesFrom(own, 'Lantern Live')).toEqual({
    sitename: 'Lantern Live',
    shortname: 'Lantern Live',
    abbr: 'LL',
  })
})

test('whoever chooses a site to send visitors to chooses its link type, too', () => {
  const refused = { insteadTypeId: 'Choose a link type.' }
  expect(siteRefusals({ ...newSiteValues, insteadSiteId: 3 })).toEqual(refused)
  expect(siteRefusals({ ...newSiteValues, insteadSiteId: 3, insteadTypeId: 4 })).toEqual({})
  expect(siteRefusals(newSiteValues)).toEqual({})
})
