import { Input, SegmentedControl, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { WholeRow } from '../../ui/form/FormSection.tsx'
import { type FirstPasswordValues, type Way, WAYS } from './first-password.ts'

interface FirstPasswordProps<Values> {
  form: UseFormReturnType<Values>
  /** What the field for the address is called. */
  address: string
}

/** How the holder of a new account gets a password: they choose it, by an invitation, or it is typed here. */
export function FirstPassword<Values extends FirstPasswordValues>({
  form,
  address,
}: FirstPasswordProps<Values>) {
  const { way } = form.values
  const choose = (next: Way) => {
    // The types of a form that has more fields know these only by their names.
    const fields = form as unknown as UseFormReturnType<FirstPasswordValues>
    fields.setValues({ way: next, password: '', passwordConfirm: '' })
    fields.clearErrors()
  }
  return (
    <>
      <WholeRow>
        <Input.Wrapper label="First password" labelElement="div">
          <SegmentedControl
            size="xs"
            display="flex"
            w="fit-content"
            aria-label="First password"
            data={WAYS.map((value) => ({ value, label: labels[value] }))}
            value={way}
            onChange={choose}
          />
        </Input.Wrapper>
        {way !== 'typed' && (
          <Text size="sm" c="dimmed" mt={6}>
            {way === 'mail'
              ? `We mail a link to the ${address}. They choose their password with it, within seven days: nobody else types or reads it.`
              : 'You get a link once the account is saved. Whoever opens it chooses the password, within seven days: nobody else types or reads it.'}
          </Text>
        )}
      </WholeRow>
      {way === 'typed' && <PasswordFields form={form} required />}
    </>
  )
}

const labels: Record<Way, string> = {
  typed: 'Type it here',
  mail: 'Invite by mail',
  link: 'Invite by link',
}
