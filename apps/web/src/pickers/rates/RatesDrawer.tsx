import { Button, Drawer, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FeeRates } from '@tallyroom/contract/office-fees'
import { type DatedRate, ratesEndpoints } from '@tallyroom/contract/rates'
import { can } from '@tallyroom/domain/abilities'
import { addDays, dayOf } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useToday } from '../../lib/clock.ts'
import { FORM_ERROR } from '../../lib/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { askToChange } from '../../ui/ask-to-change.ts'
import { useCurrentDialog } from '../../ui/dialogs.tsx'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { Backdating } from './Backdating.tsx'
import type { RateColumn } from './rate-columns.ts'
import { givenRatesOf, RateFields } from './RateFields.tsx'
import { prepareRate, type RatesKey, ratesQuery, refreshRates, withdrawRate } from './rates.api.ts'
import { currencyOf, rateText } from './rate-text.ts'
import classes from './RatesDrawer.module.css'

interface RatesDrawerProps {
  of: RatesKey
  /** Whose rates: `Manila’s rates for Premium Pass`. */
  name: string
  columns: readonly RateColumn[]
  onClosed: () => void
}

/** Shows rates with their dates, prepares rates for a future day and withdraws prepared ones. */
export function RatesDrawer({ of, name, columns, onClosed }: RatesDrawerProps) {
  const [opened, close] = useOpened()
  const isAsking = useCurrentDialog() !== undefined
  const { data: rates } = useQuery(ratesQuery(of))
  const mayChange = can(useMe(), 'fees.manage')
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      // Escape closes only the topmost dialog.
      closeOnEscape={!isAsking}
      position="right"
      size={640}
      title={<strong>{name}</strong>}
    >
      {rates && (
        <Stack gap="xl">
          {mayChange && <Preparation of={of} columns={columns} rates={rates} />}
          <Backdating of={of} columns={columns} mayChange={mayChange} />
          <History columns={columns} rates={rates} mayChange={mayChange} />
        </Stack>
      )}
    </Drawer>
  )
}

type RatesShown = Pick<RatesDrawerProps, 'columns'> & { rates: readonly DatedRate[] }

/** Amounts as typed. Empty ones keep the value they would have on that day. */
type Values = Record<keyof FeeRates, string> & { validFrom: string; note: string; enable: boolean }

function Preparation({ of, columns, rates }: RatesShown & Pick<RatesDrawerProps, 'of'>) {
  const client = useQueryClient()
  const tomorrow = addDays(useToday(), 1)
  const present = rates.find(({ state }) => state === 'in force')
  const form = useForm<Values>({
    initialValues: startValues(tomorrow),
    validate: validateBy(ratesEndpoints.prepareRate, (values: Values) => bodyOf(of, values)),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values: Values) => prepareRate(bodyOf(of, values)),
    onSaved: () => {
      form.setValues(startValues(tomorrow))
      toastSaved()
      void refreshRates(client)
    },
  })
  const { enable, validFrom } = form.getValues()
  return (
    <section aria-label="From a day on">
      <h2 className={classes.heading}>From a day on</h2>
      <p className={classes.about}>
        New rates begin at midnight in New York. Until then they can be withdrawn. Changes that
        apply from now on do not affect them.
      </p>
      <form noValidate onSubmit={form.onSubmit((values) => saving.mutate(values))}>
        <Stack gap="sm">
          <FormError>{form.errors[FORM_ERROR]}</FormError>
          <div className={classes.dayFields}>
            <DayPicker
              label="From"
              value={validFrom}
              min={tomorrow}
              onChange={(day) => form.setFieldValue('validFrom', day)}
              error={form.errors.validFrom}
            />
            <TextInput label="Note" maxLength={200} {...form.getInputProps('note')} />
          </div>
          {of.companyId !== null && (
            <Switch
              label="Own rates"
              description="Off: the link type’s default rates apply from that day on."
              {...form.getInputProps('enable', { type: 'checkbox' })}
            />
          )}
          {enable && (
            <RateFields
              columns={columns}
              propsOf={({ field, unit }) => ({
                placeholder: present && rateText(present[field] ?? 0, unit),
                ...form.getInputProps(field),
              })}
            />
          )}
          <Group justify="space-between" gap="xs">
            <span className={classes.about}>Empty fields stay as they are.</span>
            <Button type="submit" loading={saving.isPending}>
              Prepare
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}

const startValues = (validFrom: string): Values => ({
  validFrom,
  note: '',
  enable: true,
  earning: '',
  payout: '',
  lpp: '',
  bonusEarning: '',
  bonusPayout: '',
  bonusLpp: '',
})

const bodyOf = (
  { typeId, companyId }: RatesKey,
  { validFrom, note, enable, ...typed }: Values,
): Parameters<typeof prepareRate>[0] => ({
  typeId,
  companyId,
  validFrom,
  note,
  enable,
  ...(enable && givenRatesOf(typed)),
})

function History({ columns, rates, mayChange }: RatesShown & { mayChange: boolean }) {
  const client = useQueryClient()
  const withdraw = (rate: DatedRate) =>
    askToChange(
      {
        label: 'Withdraw',
        question: 'These rates will not take effect. They stay in the history.',
      },
      { whose: `rates from ${dayFrom(rate)}`, refresh: () => refreshRates(client) },
      () => withdrawRate(rate.id),
    )
  return (
    <section aria-label="History">
      <h2 className={classes.heading}>History</h2>
      {rates.length === 0 ? (
        <p className={classes.about}>It has never had own rates.</p>
      ) : (
        <ol className={classes.list}>
          {rates.map((rate) => (
            <li key={rate.id} className={classes.entry} data-state={rate.state}>
              <div className={classes.line}>
                <strong>{dayFrom(rate)}</strong>
                <span className={classes.state}>{STATES[rate.state]}</span>
                {rate.state === 'prepared' && mayChange && (
                  <Button size="compact-xs" variant="default" onClick={() => void withdraw(rate)}>
                    Withdraw
                  </Button>
                )}
              </div>
              <div className={classes.amounts}>
                {rate.enable
                  ? columns
                      .map(
                        ({ field, header, unit }) =>
                          `${header} ${currencyOf(unit)}${rateText(rate[field] ?? 0, unit)}`,
                      )
                      .join(' · ')
                  : 'The link type’s default rates'}
              </div>
              <div className={classes.about}>{whoOf(rate)}</div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const STATES: Record<DatedRate['state'], string> = {
  prepared: 'Prepared',
  'in force': 'In force',
  over: 'Over',
  withdrawn: 'Withdrawn',
}

const dayFrom = ({ validFrom }: DatedRate) =>
  validFrom === null ? 'Since the beginning' : dayOf(new Date(validFrom))

/** `By admin on 2026-11-20. Holiday season. Withdrawn by admin on 2026-11-21.` */
const whoOf = ({ addedAt, addedBy, note, withdrawnAt, withdrawnBy }: DatedRate) =>
  [
    addedAt && `By ${addedBy ?? 'somebody'} on ${dayOf(new Date(addedAt))}`,
    note,
    withdrawnAt && `Withdrawn by ${withdrawnBy} on ${dayOf(new Date(withdrawnAt))}`,
  ]
    .filter(Boolean)
    .join(' · ') || 'From before rates were dated'
