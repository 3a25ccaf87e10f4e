import { Group } from '@mantine/core'
import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { formatPesos } from '@tallyroom/domain/money'
import { periodOf } from '@tallyroom/domain/periods'
import { useToday } from '../../lib/clock.ts'
import { Amount, FigureLink } from '../../ui/Amount.tsx'
import { BonusLabel } from '../../shared/BonusLabel.tsx'
import { Section } from './Section.tsx'

export function AmountSection() {
  const { start, end } = periodOf(useToday(), 'week')
  const payout: AmountQuestion = { report: 'sites', column: 'payout', start, end }
  return (
    <Section title="Amounts that open">
      <Group gap="xl" className="tr-figures">
        <Amount of={payout} label="Payout, this week">
          {formatPesos(1148)}
        </Amount>
        <BonusLabel>
          <Amount of={{ ...payout, column: 'bonusPayout' }} label="Bonus payout, this week">
            {formatPesos(450)}
          </Amount>
        </BonusLabel>
        <Amount of={{ ...payout, column: 'sales' }} label="Sales, this week">
          4
        </Amount>
        <FigureLink to="/app/logs/click-outs" search={{ start, end }} label="Uniques 23: clicks">
          23
        </FigureLink>
        <Amount of={undefined} label="Not to be explained">
          {formatPesos(0)}
        </Amount>
      </Group>
    </Section>
  )
}
