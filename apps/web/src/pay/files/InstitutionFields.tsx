import { Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { knownInstitutions, type PayFileLayout } from '@tallyroom/contract/pay/files/files'
import { institutionName } from '@tallyroom/domain/institutions'
import { useIsPhone } from '../../lib/phone.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from '../runs.module.css'

type Institutions = PayFileLayout['institutions']

interface InstitutionFieldsProps {
  institutions: Institutions
  onChange: (institutions: Institutions) => void
}

/** What the bank calls each institution that payees have accounts with. */
export function InstitutionFields({ institutions, onChange }: InstitutionFieldsProps) {
  const isPhone = useIsPhone()
  const change = (at: number, next: Partial<Institutions[number]>) =>
    onChange(institutions.map((one, index) => (index === at ? { ...one, ...next } : one)))
  const named = new Set(institutions.map(({ bic }) => bic))
  const missing = knownInstitutions().filter(({ bic }) => !named.has(bic))
  return (
    <ol className={classes.list}>
      {institutions.map(({ bic, name, code }, at) => {
        const who = bic === '' ? `row ${at + 1}` : institutionName(bic)
        const labelled = (label: string) => (isPhone || at === 0) && { label }
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the BIC is edited in it
          <li key={at} className={classes.row} aria-label={who}>
            <TextInput
              {...labelled('BIC')}
              aria-label={`BIC of ${who}`}
              maxLength={11}
              value={bic}
              onChange={(event) => change(at, { bic: event.currentTarget.value.toUpperCase() })}
            />
            <TextInput
              {...labelled('Name at this bank')}
              aria-label={`Name of ${who}`}
              maxLength={70}
              value={name}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <TextInput
              {...labelled('Code at this bank')}
              aria-label={`Code of ${who}`}
              maxLength={35}
              value={code}
              onChange={(event) => change(at, { code: event.currentTarget.value })}
            />
            <IconButton
              aria-label={`Remove ${who}`}
              onClick={() => onChange(institutions.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </IconButton>
          </li>
        )
      })}
      <li className={classes.bar}>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...institutions, { bic: '', name: '', code: '' }])}
        >
          + Add institution
        </Button>
        {missing.length > 0 && (
          <Button
            variant="default"
            size="xs"
            onClick={() => onChange([...institutions, ...missing])}
          >
            + Add the Philippine banks and e-wallets
          </Button>
        )}
      </li>
    </ol>
  )
}
