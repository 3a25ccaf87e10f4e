-- A site with approve-sale reports an approval and a sale. Partners and programs heard of them as a sale and a bonus, and hear of
-- an approval and a sale now. Whoever heard of sales hears of approvals, too; who heard only of the bonuses of such a site, of its
-- sales.
update postback_targets set events = array_append(events, 'approval.recorded') where 'sale.recorded' = any(events);

update postback_targets as target
set events = array_append(target.events, 'sale.recorded')
from sites as site
where site.id = target.site_id and site.use_approve_sale
  and 'bonus.recorded' = any(target.events) and not 'sale.recorded' = any(target.events);
