import { TextInput } from '@mantine/core'
import {
  booksEndpoints,
  type JournalAccounts as Accounts,
} from '@tallyroom/contract/pay/books/books'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { accountsQuery } from '../books.api.ts'
import { balancesQuery } from '../pay.api.ts'
import classes from '../pay.module.css'

/** What the accountant's software calls the accounts of the journal. */
export function JournalAccounts() {
  const balances = useQuery(balancesQuery)
  return (
    <FormLoader query={useQuery(accountsQuery)} fields={10}>
      {(accounts) => (
        <FormLoader query={balances} fields={10}>
          {(all) => <AccountsForm accounts={accounts} payees={all.map(({ payee }) => payee)} />}
        </FormLoader>
      )}
    </FormLoader>
  )
}

const FIELDS: Record<
  Exclude<keyof Accounts, 'vendors'>,
  { label: string; description?: string }
> = {
  commissions: { label: 'Commissions', description: 'The expense: what statements are for' },
  reimbursements: {
    label: 'Reimbursements',
    description: 'What statements pay that is not income',
  },
  payable: {
    label: 'Commissions payable',
    description:
      'The liability: what payees are owed in pesos. For Xero, one of your own: its journals take no system account',
  },
  payableUsd: {
    label: 'Commissions payable in dollars',
    description: 'The same for dollars: in QuickBooks, each account of payables has one currency',
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
  outside: { label: 'Cash', description: 'What is paid outside payment runs' },
  advances: {
    label: 'Advances to payees',
    description: 'What payees got in advance and statements take back',
  },
  clearing: { label: 'Currency clearing', description: 'What is converted to the other currency' },
  withheld: {
    label: 'Withholding tax payable',
    description: 'What statements withhold for the tax office',
  },
  givenUp: {
    label: 'Balances given up',
    description: 'What deleted payees were owed, or owed',
  },
  taxRate: { label: 'Tax rate of lines', description: 'The name of “no tax” in Xero' },
}

function AccountsForm({ accounts, payees }: { accounts: Accounts; payees: readonly Payee[] }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: booksEndpoints.saveJournalAccounts,
    values: { ...accounts, vendors: vendorsOf(accounts, payees) },
    bodyOf: ({ vendors, ...values }) => ({
      ...values,
      vendors: vendors.flatMap(({ kind, id, name }) => (name.trim() ? [{ kind, id, name }] : [])),
    }),
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
      <p className={classes.lead}>
        QuickBooks takes the names of its own vendors alone. Without a name here, it gets the
        payee’s.
      </p>
      <PlainTable
        label="Names of payees"
        columns={[
          { header: 'Payee', namesRow: true, cell: ({ payee }: Vendor) => payee },
          {
            header: 'Name in the software',
            cell: ({ payee, place }: Vendor & { place: number }) => (
              <TextInput
                aria-label={`Name of ${payee} in the software`}
                placeholder={payee}
                maxLength={100}
                {...form.getInputProps(`vendors.${place}.name`)}
              />
            ),
          },
        ]}
        rows={form.values.vendors.map((one, place) => ({ ...one, place }))}
        rowKey={({ kind, id }) => `${kind} ${id}`}
      />
    </FormFrame>
  )
}

type Vendor = Accounts['vendors'][number] & { payee: string }

/** Payees by name, with their names in the software, which may be empty. */
function vendorsOf({ vendors }: Accounts, payees: readonly Payee[]): Vendor[] {
  const keyOf = ({ kind, id }: Pick<Payee, 'kind' | 'id'>) => `${kind} ${id}`
  const named = new Map(vendors.map((one) => [keyOf(one), one.name]))
  const all = new Map<string, Vendor>()
  for (const { kind, id, name } of vendors)
    all.set(keyOf({ kind, id }), { kind, id, name, payee: `${kind} ${id}` })
  for (const { kind, id, name: payee } of payees)
    all.set(keyOf({ kind, id }), { kind, id, name: named.get(keyOf({ kind, id })) ?? '', payee })
  return [...all.values()].toSorted((one, other) => one.payee.localeCompare(other.payee, 'en'))
}
