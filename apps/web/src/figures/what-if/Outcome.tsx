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
  /** Whether the form says something else than what was calculated. */
  isChanged: boolean
}

/** The answer above the list, whose rows it lists, and the form that prepares the rates. */
export function Outcome({ asked, offices, isChanged }: OutcomeProps) {
  const me = useMe()
  const { applied, groupBy, list, sites, body, query, answer, rates } = asked
  const { companyIds = [] } = applied
  if (!body) return null
  const nameOf = nameOfTypeIn(sites)
  const other = body.rates ?? []
  return (
    <div>
      {answer && !query.isPlaceholderData ? (
        <Answer answer={answer} hasRates={rates.size > 0} />
      ) : (
        query.isFetching && <span>Calculating …</span>
      )}
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
      {other.length > 0 &&
        other.every(({ typeId }) => nameOf(typeId)) &&
        can(me, 'fees.manage') && (
          <TakeOver
            key={`${applied.rates} ${companyIds.join()}`}
            rates={other}
            offices={companyIds.map(
              (id) => offices.find((office) => office.id === id) ?? { id, label: `Office ${id}` },
            )}
            nameOf={nameOf}
            isChanged={isChanged}
          />
        )}
    </div>
  )
}
