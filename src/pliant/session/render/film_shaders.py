"""The programs of films: all lights at once, each with its own tile of one large map of shadows.

A still adds up many pictures, each with two hard lights; a film has no time for that. Here a picture is drawn once,
with `KEYS` lights on the lamp and `SKIES` in the sky. So few would show as steps in the shadows, therefore each lookup
is blurred: a light stands for its share of the lamp, whose shadow is the wider the farther away its caster is. The lamp
is looked up for each pixel; the sky, which changes slowly, for each vertex; on the ground both are looked up for the
texels of two small maps that lie on it.
"""

from pliant.session.render.shaders import BACKDROP, MATERIAL, PICTURE

_SHADOWS = """
uniform sampler2DShadow shade;  // the map, compared
uniform sampler2D depths;  // the same map, as it is
uniform float depth_scale;  // metres from the front to the back of the map
uniform float key_wide, sky_wide;  // tangent of half the angle that a light stands for
uniform vec2 key_texel, sky_texel;  // metres, and uv a metre
uniform mat4 key_matrix[KEYS], sky_matrix[SKIES];  // from the world to uv and depth
uniform vec4 key_tile[KEYS], sky_tile[SKIES];  // uv that may be read: lowest, highest
uniform vec3 key_direction[KEYS], sky_direction[SKIES], sky_light[SKIES];

// How much deeper a plane lies a step of one uv to the side and up: blurring must not take it for its own caster.
vec2 slope_of(mat4 matrix, vec3 n, vec3 direction, vec2 texel) {
    vec3 side = vec3(matrix[0].x, matrix[1].x, matrix[2].x), up = vec3(matrix[0].y, matrix[1].y, matrix[2].y);
    vec2 along = vec2(dot(side, n), dot(up, n)) / (texel.y * max(dot(n, direction), 0.25));
    return along / (texel.y * depth_scale);
}

vec3 placed(mat4 matrix, vec4 tile, vec3 point) {
    vec3 p = (matrix * vec4(point, 1.0)).xyz;
    return vec3(clamp(p.xy, tile.xy, tile.zw), min(p.z, 0.9999));
}

float looked_up(vec3 p, vec2 step, vec2 slope, vec4 tile) {
    return textureLod(shade, vec3(clamp(p.xy + step, tile.xy, tile.zw), p.z + dot(slope, step)), 0.0);
}

// Out along the normal, the more the more slanted the light is: a surface must not shade itself.
vec3 raised(vec3 point, vec3 n, vec3 direction, float texel) {
    return point + n * texel * (0.6 + 2.0 * length(cross(n, direction)));
}

const float GOLDEN_ANGLE = 2.399963;

// Light of the lamp on a surface, and how much of the lamp is seen. `turn` turns the pattern of lookups.
vec2 lamp(vec3 point, vec3 n, float turn) {
    // What is in the way, straight towards the light and a little beside it, where the rim of a shadow comes from.
    float gap = 0.0, hits = 0.0;
    for (int k = 0; k < KEYS; k++) {
        vec3 p = placed(key_matrix[k], key_tile[k], raised(point, n, key_direction[k], key_texel.x));
        vec2 slope = slope_of(key_matrix[k], n, key_direction[k], key_texel);
        float angle = turn + 1.0 + GOLDEN_ANGLE * float(k), far = key_wide * key_texel.y * depth_scale * p.z;
        vec2 beside = 0.7 * far * vec2(cos(angle), sin(angle));
        vec2 other = clamp(p.xy + beside, key_tile[k].xy, key_tile[k].zw);
        vec2 deep = p.z + vec2(0.0, dot(slope, beside));
        deep -= vec2(textureLod(depths, p.xy, 0.0).r, textureLod(depths, other, 0.0).r);
        vec2 hit = step(vec2(0.0), deep) * step(0.0, dot(n, key_direction[k]));
        gap += dot(hit, deep);
        hits += hit.x + hit.y;
    }
    float away = gap / max(hits, 1.0) * depth_scale;  // metres to what is in the way, on average
    float wide = max(1.2 * key_texel.x, key_wide * away) * key_texel.y;
    vec2 total = vec2(0.0);
    for (int k = 0; k < KEYS; k++) {
        float facing = max(dot(n, key_direction[k]), 0.0);
        vec3 p = placed(key_matrix[k], key_tile[k], raised(point, n, key_direction[k], key_texel.x));
        vec2 slope = slope_of(key_matrix[k], n, key_direction[k], key_texel);
        float seen = 0.0;
        for (int tap = 0; tap < KEY_TAPS; tap++) {
            float angle = turn + GOLDEN_ANGLE * float(KEY_TAPS * k + tap);
            float far = wide * sqrt((float(tap) + 0.5) / float(KEY_TAPS));
            seen += looked_up(p, far * vec2(cos(angle), sin(angle)), slope, key_tile[k]);
        }
        seen /= float(KEY_TAPS);
        total += vec2(facing * seen, seen);
    }
    return total / float(KEYS);
}

// Light of the sky on a surface, and how much of the sky is seen.
vec4 sky(vec3 point, vec3 n, float turn) {
    vec4 total = vec4(0.0);
    float all = 1e-6;
    for (int k = 0; k < SKIES; k++) {
        float facing = max(dot(n, sky_direction[k]), 0.0);
        vec3 p = placed(sky_matrix[k], sky_tile[k], raised(point, n, sky_direction[k], sky_texel.x));
        vec2 slope = slope_of(sky_matrix[k], n, sky_direction[k], sky_texel);
        float away = max(p.z - textureLod(depths, p.xy, 0.0).r, 0.0) * depth_scale;
        float wide = max(1.2 * sky_texel.x, sky_wide * away) * sky_texel.y;
        float seen = 0.0;
        for (int tap = 0; tap < SKY_TAPS; tap++) {
            float angle = turn + GOLDEN_ANGLE * float(SKY_TAPS * k + tap);
            float far = wide * sqrt((float(tap) + 0.5) / float(SKY_TAPS));
            seen += looked_up(p, far * vec2(cos(angle), sin(angle)), slope, sky_tile[k]);
        }
        seen /= float(SKY_TAPS);
        // Directions are even over the hemisphere: density 1/2pi, so irradiance/pi is the mean of 2 L cos.
        total += vec4(2.0 / float(SKIES) * sky_light[k], 1.0) * facing * seen;
        all += facing;
    }
    return vec4(total.rgb, total.a / all);
}
"""

FILM_SURFACE_VERTEX = (
    "#version 330\n"
    + _SHADOWS
    + """
uniform mat4 view;
uniform vec3 eye;
uniform float has_inside;  // 1: seen from both sides
in vec3 in_position, in_normal, in_colour, in_inside;
in vec4 in_look;
in vec2 in_uv;
out vec3 point, normal, colour, inside;
out vec4 look, from_sky;
out vec2 uv;
void main() {
    point = in_position; normal = in_normal; colour = in_colour; inside = in_inside; look = in_look; uv = in_uv;
    vec3 n = normalize(in_normal);
    if (has_inside > 0.5 && dot(n, eye - point) < 0.0) n = -n;
    from_sky = sky(point, n, 0.0);
    gl_Position = view * vec4(in_position, 1.0);
}
"""
)

# First only where the surfaces are and which way they look, for the lamp.
POINT_VERTEX = """
#version 330
uniform mat4 view;
in vec3 in_position, in_normal;
in vec4 in_look;
in vec2 in_uv;
out vec3 point, normal;
out float opacity;
out vec2 uv;
void main() {
    point = in_position; normal = in_normal; opacity = in_look.w; uv = in_uv;
    gl_Position = view * vec4(in_position, 1.0);
}
"""
POINT_FRAGMENT = (
    "#version 330\n"
    + PICTURE
    + """
uniform float cutoff;
in vec3 point, normal;
in float opacity;
in vec2 uv;
layout(location = 0) out vec4 where;
layout(location = 1) out vec4 facing;
void main() {
#ifdef HOLED
    if (painted(uv).a * opacity < cutoff) discard;
#endif
    where = vec4(point, 1.0);
    facing = vec4(gl_FrontFacing ? normal : -normal, 1.0);
}
"""
)
# Then the lamp, once for each pixel that a surface is seen in: far behind everything, drawn where something is nearer.
FAR_VERTEX = """
#version 330
in vec2 in_corner;
void main() { gl_Position = vec4(in_corner, 1.0, 1.0); }
"""
LAMP_FRAGMENT = (
    "#version 330\n"
    + _SHADOWS
    + """
uniform sampler2D places, facings;
uniform vec3 eye;
uniform vec2 middle;  // how far away the action is, and its radius
out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 n = normalize(texelFetch(facings, at, 0).xyz), point = texelFetch(places, at, 0).xyz;
    result = vec4(lamp(point, n, 0.0), (length(eye - point) - middle.x) / middle.y, 1.0);
}
"""
)

FILM_SURFACE_FRAGMENT = (
    "#version 330\n"
    + _SHADOWS
    + """
uniform sampler2D lamp_seen;
uniform vec3 key_colour, key_axis, sky_colour;
uniform vec2 middle;
in vec4 from_sky;
"""
    + MATERIAL
    + """
// What was found for this pixel; at an edge it may be for another surface, then a neighbour fits better.
vec2 lamp_here() {
    ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(lamp_seen, 0) - 1;
    float away = (length(eye - point) - middle.x) / middle.y;
    vec3 best = texelFetch(lamp_seen, at, 0).xyz;
    best.z = abs(best.z - away) - 0.02;
    ivec2 steps[4] = ivec2[4](ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1));
    for (int k = 0; k < 4; k++) {
        vec3 other = texelFetch(lamp_seen, clamp(at + steps[k], ivec2(0), last), 0).xyz;
        other.z = abs(other.z - away);
        if (other.z < best.z) best = other;
    }
    return best.xy;
}

void main() {
    vec3 n = normalize(normal), v = normalize(eye - point);
    if (!gl_FrontFacing) n = -n;
#ifdef CLEAR
    vec2 key = lamp(point, n, 0.0);  // the lamp was looked up for what is behind
#else
    vec2 key = lamp_here();
#endif
    result = shaded(n, v, key_colour * key.x + from_sky.rgb, key_colour * key.y, key_axis, sky_colour, from_sky.a);
}
"""
)

# A square on the ground, drawn into a texture: `over` are its middle and its two half sides.
PATCH_VERTEX = """
#version 330
uniform vec3 middle, along, across;
in vec2 in_corner;
out vec3 point;
void main() {
    point = middle + in_corner.x * along + in_corner.y * across;
    gl_Position = vec4(in_corner, 0.0, 1.0);
}
"""
# Neighbouring texels look up in other directions; the blur below joins the sixteen of a block.
_BLOCK = """
in vec3 point;
out vec4 result;
float block() {
    ivec2 at = ivec2(gl_FragCoord.xy), mixed = ivec2(at.x ^ at.y, at.y);  // Bayer's order: neighbours differ most
    ivec2 low = mixed & 1, high = (mixed >> 1) & 1;
    return 6.2831853 * float(8 * low.x + 4 * low.y + 2 * high.x + high.y) / 16.0;
}
"""
PATCH_LAMP_FRAGMENT = (
    "#version 330\n"
    + _SHADOWS
    + _BLOCK
    + """
void main() { result = vec4(lamp(point, vec3(0.0, 1.0, 0.0), block()).x); }
"""
)
PATCH_SKY_FRAGMENT = (
    "#version 330\n"
    + _SHADOWS
    + _BLOCK
    + """
void main() { result = sky(point, vec3(0.0, 1.0, 0.0), block()); }
"""
)
# The mean of four by four texels: between four texels the sampler itself takes their mean. The middle of a block is
# a corner of a texel, so the result lies half a texel off.
BLUR_FRAGMENT = """
#version 330
uniform sampler2D source;
out vec4 result;
void main() {
    vec2 texel = 1.0 / vec2(textureSize(source, 0)), at = (gl_FragCoord.xy + 0.5) * texel;
    result = 0.25 * (texture(source, at + texel * vec2(-1.0, -1.0)) + texture(source, at + texel * vec2(1.0, -1.0))
        + texture(source, at + texel * vec2(-1.0, 1.0)) + texture(source, at + texel * vec2(1.0, 1.0)));
}
"""

FILM_GROUND_FRAGMENT = (
    "#version 330\n"
    + BACKDROP
    + """
uniform sampler2D lamp_patch, sky_patch;
uniform mat3 lamp_place, sky_place;  // from the ground to the patches: uv from (x, z, 1)
uniform vec3 centre, key_colour, open_light;  // open_light: what falls on the ground where nothing is in the way
uniform float open_lamp, patch_reach, grid, reach;
in vec3 point;
out vec4 result;
void main() {
    vec3 flat_place = vec3(point.xz, 1.0);
    vec2 lamp_at = (lamp_place * flat_place).xy, sky_at = (sky_place * flat_place).xy;
    vec2 within = step(abs(lamp_at - 0.5), vec2(0.49));
    lamp_at -= 0.5 / vec2(textureSize(lamp_patch, 0));
    sky_at -= 0.5 / vec2(textureSize(sky_patch, 0));
    float lamp = mix(open_lamp, texture(lamp_patch, lamp_at).r, within.x * within.y);
    float off = length(point.xz - centre.xz);
    vec3 light = key_colour * lamp + texture(sky_patch, sky_at).rgb;
    vec3 share = mix(light / open_light, vec3(1.0), 0.05);
    float fade = 1.0 - smoothstep(0.35, 1.0, off / patch_reach);
    vec3 shown = backdrop(gl_FragCoord.xy) * mix(vec3(1.0), share, fade);
    if (grid > 0.0) {
        // Lines as wide as a fiftieth of a cell, softened over a pixel, paler where they are finer than one.
        vec2 at = point.xz / grid, pixel = fwidth(at), line = abs(fract(at + 0.5) - 0.5);
        vec2 on = (1.0 - smoothstep(0.01 - pixel, 0.01 + pixel, line)) * clamp(0.02 / pixel, 0.0, 1.0);
        shown *= 1.0 - 0.2 * max(on.x, on.y) * (1.0 - smoothstep(0.1, 0.8, off / reach));
    }
    result = vec4(shown, 1.0);
}
"""
)


def sized(source: str, keys: int, skies: int, key_taps: int, sky_taps: int) -> str:
    """A program's text for so many lights and lookups."""
    version, rest = source.strip().split("\n", 1)
    numbers = {"KEYS": keys, "SKIES": skies, "KEY_TAPS": key_taps, "SKY_TAPS": sky_taps}
    return "\n".join([version, *(f"#define {name} {number}" for name, number in numbers.items()), rest])
