import { Group, SimpleGrid, Stack } from '@mantine/core'
import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { Change, Sparkline, Tile } from '../../ui/Tile.tsx'
import { Section } from './Section.tsx'

const rising = [3, 4, 2, 5, 6, 4, 7, 8, 6, 9, 8, 11, 10, 12]
const falling = rising.toReversed()
const withLosses = [4, 2, 0, -3, 1, 5, -2, 0, 3, 2, 6, 1, -1, 2]
const against = 'Sat 14 Nov'

export const TilesSection = () => (
  <Section title="Tiles">
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Tile
          to="/app/home"
          label="Today"
          value={formatPesos(1148)}
          change={{ now: 12, before: 10, against }}
          note="4 sales · 96 uniques"
          spark={rising}
        />
        <Tile
          to="/app/home"
          label="Down"
          value={formatPesos(560)}
          change={{ now: 3, before: 12, against }}
          spark={falling}
        />
        <Tile
          to="/app/home"
          label="New"
          value={formatCount(3)}
          change={{ now: 3, before: 0, against }}
          spark={withLosses}
        />
        <Tile
          to="/app/home"
          label="Nothing to compare"
          value={formatCount(0)}
          change={{ now: 0, before: undefined, against }}
          spark={rising.map(() => 0)}
        />
        <Tile to="/app/home" label="Loading" value={undefined} />
        <Tile to="/app/home" label="Without history" value="Tier 3" note="4 more to the next" />
      </SimpleGrid>
      <Group gap="xl">
        <Change now={12} before={10} against={against} />
        <Change now={8} before={10} against={against} />
        <Change now={10} before={10} against={against} />
        <Change now={1001} before={1000} against={against} />
        <Change now={1} before={0} against={against} />
        <Change now={-1} before={0} against={against} />
        <Change now={1} before={undefined} against={against} />
        <div style={{ width: 160 }}>
          <Sparkline values={rising} />
        </div>
      </Group>
    </Stack>
  </Section>
)
