import { TextInput } from '@mantine/core'
import { booksEndpoints, type JournalAccounts as Accounts } from '@tallyroom/contract/pay/books'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { accountsQuery } from '../books.api.ts'

/** What the accountant's software calls the accounts of the journal. */
export function JournalAccounts() {
  return (
    <FormLoader query={useQuery(accountsQuery)} fields={10}>
      {(accounts) => <AccountsForm accounts={accounts} />}
    </FormLoader>
  )
}

const FIELDS: Record<keyof Accounts, { label: string; description?: string }> = {
  commissions: { label: 'Commissions', description: 'The expense: what statements are for' },
  reimbursements: {
    label: 'Reimbursements',
    description: 'What statements pay that is not income',
  },
  payable: {
    label: 'Commissions payable',
    description:
      'The liability: what payees are owed. For Xero, one of your own: its journals take no system account',
  },
  bank: {
    label: 'Bank',
    description:
      'What payment runs are paid from. For Xero, a clearing account: its journals take no bank account',
  },
  transit: {
    label: 'Payments in transit',
    description: 'Approved transfers until the bank’s day',
  },
  outside: { label: 'Cash', description: 'What is paid outside of runs' },
  advances: {
    label: 'Advances to payees',
    description: 'What payees got in advance and statements take back',
  },
  clearing: { label: 'Currency clearing', description: 'What is converted to the other currency' },
  withheld: {
    label: 'Withholding tax payable',
    description: 'What statements withhold for the tax office',
  },
  taxRate: { label: 'Tax rate of lines', description: 'The name of “no tax” in Xero' },
}

function AccountsForm({ accounts }: { accounts: Accounts }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: booksEndpoints.saveJournalAccounts,
    values: { ...accounts },
    bodyOf: (values) => values,
    onSaved: () => {
      toastSaved()
      void client.invalidateQueries({ queryKey: [booksEndpoints.journal.path] })
    },
  })
  return (
    <FormFrame submitLabel="Save the accounts" {...frame}>
      {Object.entries(FIELDS).map(([name, { label, description }]) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          withAsterisk
          maxLength={80}
          {...form.getInputProps(name)}
        />
      ))}
    </FormFrame>
  )
}
