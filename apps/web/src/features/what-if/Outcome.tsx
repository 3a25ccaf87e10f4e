import { SegmentedControl } from '@mantine/core'
import { can } from '@tallyroom/domain/abilities'
import { useMe } from '../../lib/session.ts'
import { Answer } from './Answer.tsx'
import { TakeOver } from './TakeOver.tsx'
import type { Asked } from './use-what-if.ts'
import { nameOfTypeIn } from './what-if.api.ts'

interface OutcomeProps {
  asked: Asked
  offices: readonly { id: number; label: string }[]
}

/** The answer above the list, whose rows it lists, and the form that prepares the rates. */
export function Outcome({ asked, offices }: OutcomeProps) {
  const me = useMe()
  const { applied, list, sites, body, query, answer, rates } = asked
  const { companyIds = [], groupBy = 'company' } = applied
  if (!body) return null
  const nameOf = nameOfTypeIn(sites)
  // Rates of link types that the page does not name come from the URL alone.
  const canTakeOver =
    can(me, 'fees.manage') &&
    rates.size > 0 &&
    [...rates.keys()].every((typeId) => nameOf(typeId) !== '')
  return (
    <div>
      {answer && !query.isPlaceholderData && <Answer answer={answer} hasRates={rates.size > 0} />}
      {query.isFetching && (!answer || query.isPlaceholderData) && <span>Calculating …</span>}
      <SegmentedControl
        aria-label="Rows"
        size="xs"
        display="flex"
        w="fit-content"
        mt={6}
        data={[
          { value: 'company', label: 'By office' },
          { value: 'agent', label: 'By agent' },
        ]}
        value={groupBy}
        onChange={(value) =>
          list.search({ ...applied, groupBy: value === 'agent' ? 'agent' : 'company' })
        }
      />
      {canTakeOver && body.rates && (
        <TakeOver
          key={`${applied.rates} ${companyIds.join()}`}
          rates={body.rates}
          offices={companyIds.map(
            (id) => offices.find((office) => office.id === id) ?? { id, label: `Office ${id}` },
          )}
          nameOf={nameOf}
        />
      )}
    </div>
  )
}
