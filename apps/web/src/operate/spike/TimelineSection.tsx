import { Timeline } from '../../ui/Timeline.tsx'
import { Section } from './Section.tsx'

/**
 * Every tone of a timeline: what happened, a gap with its reason, what is expected, what does not
 * count.
 */
export const TimelineSection = () => (
  <Section title="Timeline">
    <div style={{ maxWidth: 560 }}>
      <Timeline
        label="A sale"
        items={[
          { at: '2026-11-21T15:00:02Z', title: 'Click', body: '203.0.113.9', tone: 'done' },
          { title: 'No postback', body: 'Entered another way.', tone: 'missing' },
          {
            at: '2026-11-21T16:10:00Z',
            title: 'Postback refused',
            body: 'Its price differs from that of the first postback.',
            tone: 'refused',
          },
          { at: '2026-11-21T16:10:03Z', title: 'Duplicate', tone: 'ignored' },
          { at: '2026-11-21T16:10:07Z', title: 'Counted as Sale', tone: 'done' },
          { title: 'Statement', body: 'When the half-month is closed.', tone: 'waiting' },
        ]}
      />
    </div>
  </Section>
)
