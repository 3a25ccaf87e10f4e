import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconPin } from '@tabler/icons-react'
import classes from './HomePage.module.css'

/** A fraud notice tells an agent why nothing works any more. */
export const FraudNotice = () => (
  <Alert
    color="red"
    variant="outline"
    icon={<IconAlertTriangle />}
    title="Your account is suspended"
    role="alert"
  >
    Your sales were flagged as made with stolen credit cards, and your account is suspended. Please
    contact your office.
  </Alert>
)

/** What the office has written for its agents; plain text. */
export const AgentNotes = ({ text }: { text: string }) => (
  <section className={classes.notes} aria-labelledby="must-read">
    <IconPin size={18} stroke={1.6} aria-hidden />
    <div>
      <h2 id="must-read">Must read</h2>
      <p>{text}</p>
    </div>
  </section>
)
