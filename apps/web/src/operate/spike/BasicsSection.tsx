import { ActionIcon, Badge, Button, Group, Kbd, Skeleton, Stack, Text } from '@mantine/core'
import {
  formatCount,
  formatDollars,
  formatPercent,
  formatPesos,
  formatSignedPercent,
} from '@tallyroom/domain/money'
import { brands } from '@tallyroom/domain/brands/index'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { logoUrl } from '../../lib/brand.ts'
import { AvpSchedule } from '../../shared/AvpSchedule.tsx'
import { BonusLabel } from '../../shared/BonusLabel.tsx'
import { BrandMark } from '../../ui/BrandMark.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { ShortLink } from '../../shared/ShortLink.tsx'
import { Section } from './Section.tsx'

const avpPeriods = [
  { index: 0, from: 0, to: 0, payoutPhp: 0, payoutDollars: 0 },
  { index: 1, from: 1, to: 4, payoutPhp: 0, payoutDollars: 0 },
  { index: 2, from: 5, to: 9, payoutPhp: 250, payoutDollars: 4.5 },
  { index: 3, from: 10, to: 1000, payoutPhp: 400, payoutDollars: 7.25 },
]

const doubtfulInstant = '2026-11-01T05:30:00Z'

export const BasicsSection = () => (
  <Section title="Buttons, labels, amounts">
    <Stack gap="sm">
      <Group gap="xs">
        <Button>Primary</Button>
        <Button variant="default">Default</Button>
        <Button color="red">Destroys</Button>
        <Button variant="subtle">Subtle</Button>
        <Button loading>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button leftSection={<IconPlus size={14} />}>Add Office</Button>
        <ActionIcon variant="default" aria-label="Delete">
          <IconTrash size={16} />
        </ActionIcon>
        <Kbd>Ctrl</Kbd>
      </Group>
      <Group gap="xs">
        <Badge>Activated</Badge>
        <Badge color="gray">Suspended</Badge>
        <Badge color="gray" variant="outline">
          Hidden
        </Badge>
        <Text c="dimmed">Quiet text</Text>
      </Group>
      <Group gap="lg" className="tr-figures">
        <span>{formatDollars(1234.5)}</span>
        <span>{formatDollars(undefined)}</span>
        <span>{formatPesos(98765.4)}</span>
        <span>{formatPercent(12.345)}</span>
        <span>{formatPercent(0)}</span>
        <span>{formatSignedPercent(3.1)}</span>
        <span>{formatSignedPercent(-3.1)}</span>
        <span>{formatCount(1234567)}</span>
        <BonusLabel>{formatPesos(450)}</BonusLabel>
        <Instant at={doubtfulInstant} />
      </Group>
      <Group gap="lg">
        <ShortLink url="https://go.example.com/api/links/go/12/34/5678?sub1=newsletter" />
        <ShortLink url="https://short.example" />
        <Group gap={4}>
          x7Kp-2026 <CopyButton value="x7Kp-2026" what="password" />
        </Group>
      </Group>
      <Group gap="xl" align="flex-start">
        <AvpSchedule periods={avpPeriods} />
        <Stack gap={8} w={220} role="status" aria-label="Loading">
          <Skeleton height={10} width="80%" />
          <Skeleton height={10} width="60%" />
          <Skeleton height={10} width="70%" />
        </Stack>
        <Stack gap={6}>
          <BrandMark size="large" />
          <BrandMark />
          <BrandMark logoOnly />
          <BrandMark.Copyright />
        </Stack>
        <Stack gap={6}>
          {Object.values(brands).map((brand) => (
            <Group key={brand.key} gap={8}>
              <img src={logoUrl(brand, 'light')} alt="" width={20} height={20} />
              {brand.name}
            </Group>
          ))}
        </Stack>
      </Group>
    </Stack>
  </Section>
)
