import { TextAnchor } from '../ui/links.tsx'

/** An IP address that links to an external look-up, without sending a referrer. */
export const IpLink = ({ ip }: { ip: string }) => (
  <TextAnchor
    href={`https://ipinfo.io/${encodeURIComponent(ip)}`}
    target="_blank"
    rel="noopener noreferrer"
    title="Look up this address (opens another site)"
  >
    {ip}
  </TextAnchor>
)
