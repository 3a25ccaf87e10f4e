import { z } from 'zod'

/**
 * Default messages for schemas without their own. A message continues the field's name:
 * `officeName` *is required*.
 */
z.config({ customError: (issue) => messageOf(issue) })

type Issue = Parameters<z.core.$ZodErrorMap>[0]

function messageOf(issue: Issue): string | undefined {
  const { code, input } = issue
  const isAboutValue =
    code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
  if (input === undefined && isAboutValue) return 'is required'
  switch (code) {
    case 'invalid_type':
      return kinds[issue.expected] && `must be ${kinds[issue.expected]}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'invalid_union':
      return 'is not valid'
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.map((key) => `"${key}"`).join(', ')}.`
    default:
      return undefined
  }
}

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
