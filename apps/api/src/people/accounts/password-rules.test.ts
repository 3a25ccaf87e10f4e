import { expect, test } from 'vitest'
import { demoPassword } from '../../../seeds/demo/people.ts'
import { oneTimePassword } from '../../lib/random-text.ts'
import { refuseCommon, refuseNames } from './password-rules.ts'

test.each([
  ['12345678', 'is one of the most common passwords. Please choose another.'],
  ['Password1', 'is one of the most common passwords. Please choose another.'],
  ['qwertyui ', 'is one of the most common passwords. Please choose another.'],
  ['ｐａｓｓｗｏｒｄ', 'is one of the most common passwords. Please choose another.'],
  ['aaaaaaaa', 'must have at least 4 different characters'],
  ['AbAbAbAbcc', 'must have at least 4 different characters'],
])('%s is refused as common', (password, reason) => {
  expect(() => refuseCommon(password)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', data: { password: [reason] } }),
  )
})

test('generated passwords are not common', () => {
  for (const password of [demoPassword, oneTimePassword(), 'correct horse battery']) {
    expect(() => refuseCommon(password)).not.toThrow()
  }
})

const names = ['maria7', 'Maria Lourdes', 'dela Cruz', 'Manila North', 'Bo', '']

test.each([
  ['manila12', 'manila'],
  ['MANILA  ', 'manila'],
  ['maria7maria7', 'maria7'],
  ['2026-Lourdes', 'lourdes'],
  ['cruz-manila-north', 'manila'],
])('%s is refused because it is made of names', (password, name) => {
  const reason = `must have at least 8 characters besides the name “${name}”`
  expect(() => refuseNames(password, names)).toThrow(
    expect.objectContaining({ data: { password: [reason] } }),
  )
})

test.each(['manila bay at night', 'bobobo12', 'another "pw" ₱'])('%s is accepted', (password) => {
  expect(() => refuseNames(password, names)).not.toThrow()
})
