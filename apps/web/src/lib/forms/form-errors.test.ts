import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { failureText, formErrors } from './form-errors.ts'

const refusal = (data: Record<string, string[]>) =>
  new ApiError('VALIDATION_ERROR', 'Check the form.', data)

test('each field gets its first message', () => {
  expect(
    formErrors(refusal({ username: ['is taken', 'is too long'], email: ['is no address'] }), [
      'username',
      'email',
    ]),
  ).toEqual({ username: 'This is taken', email: 'This is no address' })
})

test('messages about the form and about unknown fields are shown above the form', () => {
  expect(
    formErrors(refusal({ _form: ['The office is suspended.'], siteIds: ['has an unknown site'] }), [
      'username',
    ]),
  ).toEqual({ _form: 'The office is suspended. siteIds has an unknown site.' })
  expect(formErrors(refusal({ siteId: ['Choose a site'] }), ['username'])).toEqual({
    _form: 'Choose a site.',
  })
})

test('a refusal without field messages shows the general message', () => {
  expect(formErrors(refusal({}), ['username'])).toEqual({ _form: 'Check the form.' })
})

test('other errors are not shown in the form', () => {
  expect(formErrors(new ApiError('CONFLICT', 'Changed meanwhile.'), ['username'])).toBeNull()
  expect(formErrors(new Error('a bug'), ['username'])).toBeNull()
})

test('a list names the parts of the request that were refused', () => {
  expect(failureText(refusal({ siteId: ['This site no longer exists. Choose another one'] }))).toBe(
    'This site no longer exists. Choose another one.',
  )
  expect(failureText(refusal({ start: ['must be a Monday'], end: ['must be a Sunday'] }))).toBe(
    'start must be a Monday. end must be a Sunday.',
  )
  expect(failureText(refusal({}))).toBe('Check the form.')
  expect(failureText(new Error('Too slow.'))).toBe('Too slow.')
})
