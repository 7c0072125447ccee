/** Operations on an App's webhook: its settings and the log of its deliveries. */
import { z } from 'zod';
import { notFound } from '../behave/http-error.ts';
import type { Delivery } from '../world/world-model.ts';
import { APP } from '../world/permissions.ts';
import { idParam, ok, parseBody, type Answer, type Call, type Route } from '../router.ts';
import { theApp } from './app-routes.ts';

function toDeliveryItem(delivery: Delivery): Record<string, unknown> {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.duration,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

function toFullDelivery(delivery: Delivery): Record<string, unknown> {
  return {
    ...toDeliveryItem(delivery),
    url: delivery.url,
    request: { headers: delivery.requestHeaders, payload: JSON.parse(delivery.payload) as unknown },
    response: { headers: delivery.responseHeaders, payload: delivery.responsePayload },
  };
}

/** Newest first, with GitHub's cursor in the Link header. */
function listDeliveries(call: Call): Answer {
  const app = theApp(call);
  const size = Math.min(Number(call.query.get('per_page') ?? 30) || 30, 100);
  const cursor = Number(call.query.get('cursor') ?? Number.MAX_SAFE_INTEGER);
  const status = call.query.get('status');
  const rest = call.world.state.deliveries
    .filter((one) => one.appId === app.id && one.id <= cursor && one.status !== 'pending')
    .filter(
      (one) =>
        status === null ||
        (one.statusCode >= 200 && one.statusCode < 300) === (status === 'success'),
    )
    .toReversed();
  const next = rest[size];
  const link = `<${call.world.apiUrl}/app/hook/deliveries?per_page=${size}&cursor=${next?.id}>; rel="next"`;
  return {
    status: 200,
    body: rest.slice(0, size).map(toDeliveryItem),
    headers: next === undefined ? {} : { link },
  };
}

function deliveryParam(call: Call): Delivery {
  const id = idParam(call, 'delivery_id');
  const found = call.world.state.deliveries.find((one) => one.id === id);
  if (found === undefined || found.appId !== theApp(call).id) throw notFound();
  return found;
}

const HookConfig = z.looseObject({ url: z.string().optional(), secret: z.string().optional() });

function hookConfig(call: Call): Answer {
  const app = theApp(call);
  return ok({
    content_type: 'json',
    insecure_ssl: '0',
    ...(app.webhookSecret === undefined ? {} : { secret: '********' }),
    url: app.webhookUrl ?? '',
  });
}

export const deliveryRoutes: Route[] = [
  { method: 'GET', path: '/app/hook/config', need: APP, run: hookConfig },
  {
    method: 'PATCH',
    path: '/app/hook/config',
    need: APP,
    run: (call) => {
      const body = parseBody(call, HookConfig);
      const app = theApp(call);
      app.webhookUrl = body.url ?? app.webhookUrl;
      app.webhookSecret = body.secret ?? app.webhookSecret;
      return hookConfig(call);
    },
  },
  { method: 'GET', path: '/app/hook/deliveries', need: APP, run: listDeliveries },
  {
    method: 'GET',
    path: '/app/hook/deliveries/{delivery_id}',
    need: APP,
    run: (call) => ok(toFullDelivery(deliveryParam(call))),
  },
  {
    method: 'POST',
    path: '/app/hook/deliveries/{delivery_id}/attempts',
    need: APP,
    run: (call) => {
      call.world.redeliver(deliveryParam(call));
      return { status: 202, body: {} };
    },
  },
];
