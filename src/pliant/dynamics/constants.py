"""The behaviour of what moves: every number is dimensionless or in units of a sub-step, and says what it scales
with."""

RIGID_RATE = 0.25
"""Oscillations per sub-step of a soft contact between rigid bodies, or a rigid body and an obstacle [Box2D]. Half:
crates sink in for a moment and towers lean. Twice: the push out of an overlap throws."""

SOFT_RATE = 0.02
"""Part of an overlap that goes in a sub-step where particles take part. The push moves a few particles against the
springs of all the others, which answer. Half: a skin that was pressed in comes out in half a second. Five times: stiff
bodies hop on the spot."""

DAMPING_RATIO = 10.0
"""Of soft contacts: far beyond critical, so that an overlap goes without a bounce. Half or twice: hardly seen."""

SKIN_RATE = 0.02
"""Per sub-step: how fast a contact follows the drawn skin where this moves against the particles that answer for it.
Half: a skin sinks in for a moment after it was bent. Five times: bodies on slopes creep."""

SKIN_SLACK = 0.25
"""Contact radii: the skin is never taken to be farther from where it is. Half: bodies that are pressed fast shiver.
Four times: an obstacle that moves fast goes through a skin before the contact has followed it."""

PUSH_OUT = 8.0
"""Contact radii per second at which an overlap goes at most. Half: what starts inside another comes out slowly. Twice:
it is seen to jump."""

RECOVERY = 1.0
"""Of a body's size per second: how fast particles come out of an obstacle that they begin in. Half: it takes twice as
long. Ten times: it is seen to jump."""

SAME_NORMAL = 0.9
"""Cosine: an impulse is forgotten when the normal of its row turns by more than 26 degrees. Half: soft piles explode,
pushed by what was right before. Nearer to 1: resting contacts lose what they had."""

CORE_SWEEPS = 8
"""Over the rows of hard impacts. Half: crates that meet face on face turn a little. Twice: nothing changes."""

BOUNCE = 1.5
"""Of what gravity adds to a speed in a sub-step: a slower approach does not bounce. Half: bodies at rest hop. Twice:
the last bounces are missing."""

BOUNCE_ACCURACY = 0.01
"""Of the speed with which a contact is to leave: the rows of a bounce are swept until all are as near."""

BOUNCE_SWEEPS = 16
"""At most. Half: a crate that lands flat comes back a few per cent too high. Twice: nothing changes."""

SLEEP_MOTION = 0.02
"""Of a body's size: one that stayed within this, and whose neighbours did, may sleep. Half: shivering heaps stay awake.
Twice: slowly creeping bodies freeze."""

SLEEP_TIME = 2.5
"""Times sqrt(size / gravity): for how long. Half: bodies at the top of their flight freeze. Twice: heaps cost twice as
long."""
