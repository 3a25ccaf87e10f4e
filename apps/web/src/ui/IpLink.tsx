import { TextAnchor } from './links.tsx'

/** An address that leads to what the registries tell about it, on a site that is not told who asks. */
export const IpLink = ({ ip }: { ip: string }) => (
  <TextAnchor
    href={`https://ipinfo.io/${encodeURIComponent(ip)}`}
    target="_blank"
    rel="noopener noreferrer"
    title="Look this address up (opens another site)"
  >
    {ip}
  </TextAnchor>
)
