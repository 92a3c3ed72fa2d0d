/* Stand-in for the OpenGL extension wrangler. */
#ifndef DRANO_STUB_GLEW_H
#define DRANO_STUB_GLEW_H
/* A real GL/gl.h declares what came after OpenGL 1.1 only when asked. */
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES 1
#endif
#include <GL/gl.h>
enum { GLEW_OK = 0, GLEW_VERSION = 1 };
extern "C" {
extern GLboolean glewExperimental;
GLenum glewInit(void);
GLboolean glewIsSupported(const char *);
const GLubyte *glewGetErrorString(GLenum);
const GLubyte *glewGetString(GLenum);
}
#endif
